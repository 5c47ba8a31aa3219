//! A run in its signed envelope: put in, and read again.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use ed25519_dalek::SigningKey;

use crate::error::{Error, ErrorKind, Result};
use crate::text::{printable, printable_error};
use crate::wire::envelope::{self, ENVELOPE_BYTES_MAX, Envelope};
use crate::wire::payload::{RUN_TYPE, Run};

/// Signs a run.
pub fn seal(run: &Run, key: &SigningKey) -> Envelope {
    let body = serde_json::to_vec(run).expect("a run has only texts and numbers");
    envelope::seal(RUN_TYPE, &body, key)
}

/// Reads a file that holds a result, signed or not: at most one byte more than an envelope may have, which is
/// enough to see that it is too long.
pub fn read_file(path: &Path) -> Result<Vec<u8>> {
    let failed =
        |error: io::Error| Error::from_io(ErrorKind::NoInput, &format!("read {}", path.display()), &error);
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(failed)?;
    file.take(ENVELOPE_BYTES_MAX as u64 + 1).read_to_end(&mut bytes).map_err(failed)?;
    Ok(bytes)
}

/// Reads the run in `body`, the payload of `envelope`. Checking the signature is the caller's part.
pub fn read_run(envelope: &Envelope, body: &[u8]) -> Result<Run> {
    if envelope.payload_type != RUN_TYPE {
        let kind = printable(&envelope.payload_type, 100);
        return Err(Error::new(ErrorKind::Data, format!("this envelope holds {kind}, not a run")));
    }
    serde_json::from_slice(body).map_err(|error| {
        let why = printable_error(&error);
        Error::new(ErrorKind::Data, format!("the payload is not a run as this version knows it: {why}"))
            .advise("If another version of fsyncmark wrote it, that one can read it and send it.")
    })
}
