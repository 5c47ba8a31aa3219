//! What a form of the report is made of. A new thing to show at its head is a field here; `terminal/summary`
//! and `html/lead` say where it stands.

use crate::wire::envelope::Envelope;
use crate::wire::payload::Run;

/// A result as it is shown, on the terminal or as a page.
#[derive(Debug, Clone, Copy)]
pub struct ShownRun<'a> {
    /// What was measured.
    pub run: &'a Run,
    /// The signed bytes; `None` where the result was read from what `--json` printed.
    pub envelope: Option<&'a Envelope>,
}

impl<'a> ShownRun<'a> {
    /// A result without a signature.
    pub fn unsigned(run: &'a Run) -> Self {
        Self { run, envelope: None }
    }
}
