//! Texts of a result, made safe for a page.

use crate::text::printable;
use crate::wire::payload::{Claim, Run};

/// Longer texts of a result are cut.
const TEXT_LENGTH_MAX: usize = 200;

/// A text of a result as it is read: printable ASCII, and not too long.
pub(super) fn read(text: &str) -> String {
    printable(text, TEXT_LENGTH_MAX)
}

/// A text of a result as HTML.
pub(super) fn read_and_escape(text: &str) -> String {
    escape(&read(text))
}

/// A text as HTML, however long it is: printable ASCII and the few letters of our units. Characters that have
/// a meaning in HTML are escaped.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            'µ' | '–' | '·' => escaped.push(c),
            c if c.is_ascii_graphic() || c == ' ' => escaped.push(c),
            _ => escaped.push(' '),
        }
    }
    escaped
}

/// The title: the claim, or the storage below the folder where nothing is claimed.
pub(super) fn name(run: &Run) -> String {
    let Claim { provider, plan, region } = &run.claim;
    if provider.is_none() && plan.is_none() && region.is_none() {
        return read(&run.stack.join(" on "));
    }
    run.claim.to_string()
}
