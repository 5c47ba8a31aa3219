//! What the values of flags may be.

use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::plan::workload::{SUITES, Suite, WorkloadDefinition};
use crate::wire::payload::CLAIM_LENGTH_MAX;

/// The version of UUID of run ids, which begins with the time, so that ids sort by it.
const RUN_ID_VERSION: usize = 7;

pub(super) fn suite_parser() -> impl TypedValueParser<Value = &'static Suite> {
    PossibleValuesParser::new(SUITES.iter().map(|suite| suite.id))
        .try_map(|name| Suite::with_id(&name).ok_or("no suite has this name"))
}

/// The name of a workload.
pub(super) fn workload_id(id: &str) -> Result<String, String> {
    match WorkloadDefinition::with_id(id) {
        Some(workload) => Ok(workload.id.to_owned()),
        None => {
            Err("no workload has this name; to list all: fsyncmark run --suite deep --dry-run".to_owned())
        }
    }
}

/// The wire format takes a UUID of version 7 as the `uuid` crate writes it.
pub(super) fn run_id(text: &str) -> Result<String, String> {
    match uuid::Uuid::try_parse(text) {
        Ok(id) if id.get_version_num() == RUN_ID_VERSION && id.to_string() == text => Ok(text.to_owned()),
        _ => Err("a UUID of version 7 in lower case, with dashes".to_owned()),
    }
}

/// The wire format takes 1 to 64 printable ASCII characters without a space at either end.
pub(super) fn claim_text(text: &str) -> Result<String, String> {
    let text = text.trim();
    if text.is_empty()
        || text.len() > CLAIM_LENGTH_MAX
        || !text.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ')
    {
        return Err(format!("1 to {CLAIM_LENGTH_MAX} printable ASCII characters"));
    }
    Ok(text.to_owned())
}

/// Percent as thousandths: `10%`, `10`, `2.5%`.
pub(super) fn permille(text: &str) -> Result<u32, String> {
    let wrong = || "a number of percent from 0.1 to 99.9, such as 10%".to_owned();
    let number = text.trim().trim_end_matches('%').trim_end();
    let (whole, tenths) = number.split_once('.').unwrap_or((number, "0"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(tenths) || tenths.len() != 1 {
        return Err(wrong());
    }
    let [whole, tenths]: [u32; 2] =
        [whole.parse().map_err(|_| wrong())?, tenths.parse().map_err(|_| wrong())?];
    Some(whole.saturating_mul(10).saturating_add(tenths))
        .filter(|sum| (1..1_000).contains(sum))
        .ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_has_the_id_that_the_server_takes() {
        let id = "0199d1c5-0000-7000-8000-0123456789ab";
        assert_eq!(run_id(id), Ok(id.to_owned()));
        for wrong in ["", "1", "0199D1C5-0000-7000-8000-0123456789AB", "0199d1c5-0000-4000-8000-0123456789ab"]
        {
            assert!(run_id(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn claims_are_short_printable_texts() {
        assert_eq!(claim_text(" AX 102 "), Ok("AX 102".to_owned()));
        for wrong in ["", "   ", "Zürich", "a\u{7}b", &"x".repeat(65)] {
            assert!(claim_text(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn percent_are_tenths_of_them_and_nothing_else() {
        assert_eq!(["10%", "10", "2.5 %", "0.1", "99.9%"].map(permille), [100, 100, 25, 1, 999].map(Ok));
        for wrong in ["", "%", "0", "100%", "-5", "1e1", "5.25", ".5", "ten", "99999999999"] {
            assert!(permille(wrong).is_err(), "{wrong}");
        }
    }
}
