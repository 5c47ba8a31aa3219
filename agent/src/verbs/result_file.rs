//! Reads a result that was kept: a signed envelope, or what `run --json` printed.

use std::path::Path;

use serde_json::Value;

use crate::analysis::consistency;
use crate::delivery::{self, key};
use crate::error::{Error, ErrorKind, Result};
use crate::report::shown_run::ShownRun;
use crate::text::printable_error;
use crate::wire::envelope::{Envelope, key_id};
use crate::wire::payload::{RUN_SCHEMA, Run};

/// How far the signature of a result is checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SignatureState {
    /// The signature of this key is valid.
    Valid {
        /// The key's id.
        key_id: String,
    },
    /// It is signed by a key that is neither in the file nor on this machine.
    Unchecked,
    /// It has no signature: `--json` printed it.
    Absent,
}

/// A result that was read.
#[derive(Debug, Clone)]
pub struct ResultFile {
    /// What was measured.
    pub run: Run,
    /// How far its signature is checked.
    pub signature: SignatureState,
    /// The signed bytes, if there are any.
    pub envelope: Option<Envelope>,
}

impl ResultFile {
    /// What the forms of the report show of it.
    pub fn shown(&self) -> ShownRun<'_> {
        ShownRun { run: &self.run, envelope: self.envelope.as_ref() }
    }
}

/// Reads a result. Refuses one with an invalid signature, or with figures that contradict each other, so that
/// nothing wrong is shown without a word.
pub fn open(path: &Path) -> Result<ResultFile> {
    let bytes = delivery::read_file(path)?;
    parse(&bytes).map_err(|error| Error { what: format!("{}: {}", path.display(), error.what), ..error })
}

fn parse(bytes: &[u8]) -> Result<ResultFile> {
    let not = |why: &str| {
        Error::new(ErrorKind::Data, format!("this is not a result: {why}"))
            .advise("It takes a signed result, or what fsyncmark run --json printed.")
    };
    let json: Value = serde_json::from_slice(bytes).map_err(|error| not(&printable_error(&error)))?;
    let result = if json.get("payloadType").is_some() {
        parse_signed(Envelope::parse(bytes)?)?
    } else if json["schema"] == RUN_SCHEMA {
        parse_unsigned(&json)?
    } else if json["payload"]["schema"] == RUN_SCHEMA {
        parse_unsigned(&json["payload"])?
    } else {
        return Err(not("it has neither a signature nor a run"));
    };
    let faults: Vec<String> = result.run.workloads.iter().flat_map(consistency::faults).collect();
    if faults.is_empty() {
        return Ok(result);
    }
    Err(Error::new(ErrorKind::Data, format!("its figures do not add up: {}", faults.join("; "))))
}

fn parse_signed(envelope: Envelope) -> Result<ResultFile> {
    let (body, signature) = match key::find_signing_key(None, &envelope) {
        Ok((key, _)) => (envelope.open(&key)?, SignatureState::Valid { key_id: key_id(&key) }),
        Err(error) if error.kind == ErrorKind::NoInput => (envelope.body()?, SignatureState::Unchecked),
        Err(error) => return Err(error),
    };
    let run = delivery::read_run(&envelope, &body)?;
    Ok(ResultFile { run, signature, envelope: Some(envelope) })
}

fn parse_unsigned(json: &Value) -> Result<ResultFile> {
    // Read through its bytes: reading a run from a `Value` too would put a second reader into the program.
    let run = serde_json::from_slice(&serde_json::to_vec(&json).unwrap_or_default()).map_err(|error| {
        let why = printable_error(&error);
        Error::new(ErrorKind::Data, format!("this is not a run as this version knows it: {why}"))
    })?;
    Ok(ResultFile { run, signature: SignatureState::Absent, envelope: None })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::figures::examples::{EXAMPLE, example};
    use crate::report::hostile_texts;
    use ed25519_dalek::SigningKey;

    fn fault(bytes: &[u8]) -> String {
        let error = parse(bytes).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Data);
        error.what
    }

    #[test]
    fn an_envelope_what_json_printed_and_a_bare_payload_are_results() {
        let key = SigningKey::from_bytes(&[1; 32]);
        let envelope = delivery::seal(&example(), &key);
        let result = parse(&envelope.to_bytes()).unwrap();
        assert_eq!(result.run, example());
        assert_eq!(result.signature, SignatureState::Valid { key_id: key_id(&key.verifying_key()) });
        let printed = format!(r#"{{"run_id":"x","commits_per_s":1.5,"payload":{EXAMPLE}}}"#);
        for bytes in [printed.as_bytes(), EXAMPLE.as_bytes()] {
            let result = parse(bytes).unwrap();
            assert_eq!((result.run, result.signature), (example(), SignatureState::Absent));
        }
    }

    #[test]
    fn without_its_key_a_signature_is_not_checked_and_that_is_said() {
        let mut envelope = delivery::seal(&example(), &SigningKey::from_bytes(&[1; 32]));
        envelope.signatures[0].public_key = None;
        assert_eq!(parse(&envelope.to_bytes()).unwrap().signature, SignatureState::Unchecked);
    }

    #[test]
    fn the_name_of_an_unknown_member_is_no_order_to_the_terminal() {
        let unsigned = EXAMPLE.replacen('{', "{\"\\u001b]0;title\\u0007\\u202e\": 1, ", 1);
        let key = SigningKey::from_bytes(&[1; 32]);
        let signed = crate::wire::envelope::seal(crate::wire::payload::RUN_TYPE, unsigned.as_bytes(), &key);
        let foreign = unsigned.replacen('{', r#"{"payloadType": "x", "#, 1);
        for bytes in [unsigned.as_bytes(), &signed.to_bytes(), foreign.as_bytes()] {
            let said = fault(bytes);
            assert!(!said.contains(hostile_texts::commands), "{said:?}");
            assert!(said.contains("unknown field") || said.contains("missing field"), "{said}");
        }
    }

    #[test]
    fn what_was_changed_or_contradicts_itself_is_refused() {
        let mut run = example();
        let mut envelope = delivery::seal(&run, &SigningKey::from_bytes(&[1; 32]));
        run.workloads[0].operations += 1;
        envelope.payload = delivery::seal(&run, &SigningKey::from_bytes(&[2; 32])).payload;
        assert!(fault(&envelope.to_bytes()).contains("does not fit"));
        assert!(fault(&serde_json::to_vec(&run).unwrap()).contains("do not add up"));
        run = example();
        run.workloads[0].histograms.commit.as_mut().unwrap().counts.last_mut().unwrap().0 = usize::MAX;
        assert!(fault(&serde_json::to_vec(&run).unwrap()).contains("out of order"));
        for not in ["", "[]", "{}", "7", r#"{"payload":{}}"#, r#"{"schema":"fsyncmark.run/1"}"#] {
            assert!(fault(not.as_bytes()).contains("not a"), "{not}");
        }
    }
}
