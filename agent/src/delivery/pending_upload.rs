//! One result on its way to a server: read from its file, agreed to, sent, and what becomes of the file.

use std::path::{Path, PathBuf};

use ed25519_dalek::SigningKey;

use super::retry::RetryPolicy;
use super::sealing::{read_file, read_run, seal};
use super::server::{AttemptPause, DeliveryError, Receipt, Server};
use super::spool::Spool;
use crate::error::{Error, Result};
use crate::sys::clock;
use crate::units;
use crate::wire::envelope::Envelope;
use crate::wire::payload::{CONSENT, Run};

/// Why a result was not delivered.
#[derive(Debug)]
pub struct DeliveryFailure {
    /// The reason, in words for people.
    pub error: Error,
    /// Whether the next result for this server would fail in the same way.
    pub concerns_every_result: bool,
    /// Where the result is now, if it left the spool because the server refused it for good.
    pub moved_to: Option<PathBuf>,
}

/// A failure on this machine concerns one result only.
impl From<Error> for DeliveryFailure {
    fn from(error: Error) -> Self {
        Self { error, concerns_every_result: false, moved_to: None }
    }
}

impl From<DeliveryFailure> for Error {
    fn from(failure: DeliveryFailure) -> Self {
        failure.error
    }
}

/// One result on its way to a server.
#[derive(Debug)]
pub struct PendingUpload {
    /// The file it is read from.
    pub file: PathBuf,
    /// The signed bytes.
    pub envelope: Envelope,
    /// The run in these bytes.
    pub run: Run,
}

impl PendingUpload {
    /// Reads a file of the spool, or a copy of one. Only what this machine's key signed can be sent: the
    /// server knows who sends by it.
    pub fn read(file: &Path, key: &SigningKey) -> Result<Self> {
        let bytes = read_file(file)?;
        let contents = Envelope::parse(&bytes).and_then(|envelope| {
            let body = envelope.open(&key.verifying_key())?;
            Ok((read_run(&envelope, &body)?, envelope))
        });
        let (run, envelope) = contents
            .map_err(|error| Error { what: format!("{}: {}", file.display(), error.what), ..error })?;
        Ok(Self { file: file.to_owned(), envelope, run })
    }

    /// Records consent that was given after the run, and signs again. Nothing was sent before, so nobody else
    /// has the earlier bytes.
    pub fn agree(&mut self, key: &SigningKey, spool: &Spool) -> Result<()> {
        if self.run.consent.is_some() {
            return Ok(());
        }
        self.run.consent = Some(CONSENT);
        self.envelope = seal(&self.run, key);
        self.file = spool.save(&self.run.run_id, &self.envelope.to_bytes())?;
        Ok(())
    }

    /// Sends the result, and removes it from the spool when the server has it; returns its receipt. `report`
    /// gets a line for people about each wait, and about a file that cannot be removed.
    pub fn deliver(
        &self,
        server: &Server,
        key: &SigningKey,
        spool: &Spool,
        policy: RetryPolicy,
        report: &dyn Fn(&str),
    ) -> std::result::Result<Receipt, DeliveryFailure> {
        let waiting =
            |why: &str, pause: AttemptPause| report(&waiting_line(why, pause, clock::wall_unix_us()));
        match server.deliver(key, &self.run.run_id, &self.envelope, policy, waiting) {
            Ok(receipt) => {
                if spool.holds(&self.file)
                    && let Err(error) = spool.remove(&self.file)
                {
                    report(&format!("  The server has the result; {error}"));
                }
                Ok(receipt)
            }
            Err(error) => Err(self.explain(server, spool, &error)),
        }
    }

    /// Explains why the server does not have the result. Problems while moving it are added and never hide
    /// the reason.
    fn explain(&self, server: &Server, spool: &Spool, error: &DeliveryError) -> DeliveryFailure {
        let later = format!(
            "It is kept in {}. Send it later: fsyncmark upload --server {}",
            self.file.display(),
            server.address()
        );
        let why = error.why();
        let mut moved_to = None;
        let (what, advice) = if let Some(refusal) = error.refusal() {
            let (file, kept) = self.move_to_rejected(spool, &refusal.body);
            moved_to = file;
            let advice = error.advice().map_or_else(|| kept.clone(), |advice| format!("{advice} {kept}"));
            (format!("{} refused the result: {why}", server.address()), advice)
        } else if let Some(advice) = error.advice() {
            (why.to_owned(), format!("{advice} {later}"))
        } else {
            (format!("the result could not be delivered: {why}"), later)
        };
        DeliveryFailure {
            error: Error::new(error.kind(), what).advise(advice),
            concerns_every_result: error.concerns_every_result(),
            moved_to,
        }
    }

    /// Moves a result that was refused for good to the rejected ones, if it waits in the spool; returns its
    /// new path, and a sentence that says where it is.
    fn move_to_rejected(&self, spool: &Spool, answer: &[u8]) -> (Option<PathBuf>, String) {
        let kept = format!("It is kept in {}", self.file.display());
        if !spool.holds(&self.file) {
            return (None, format!("{kept}."));
        }
        match spool.move_to_rejected(&self.run.run_id, &self.file, answer) {
            Ok(rejected) => {
                let sentence =
                    format!("It is kept in {}, with the server's answer beside it.", rejected.display());
                (Some(rejected), sentence)
            }
            Err(error) => (None, format!("{kept}: {}.", error.what)),
        }
    }
}

/// Why it is tried again, when, and until when at the latest, in the clock's minutes.
fn waiting_line(why: &str, AttemptPause { wait, ends_within }: AttemptPause, now_unix_us: u64) -> String {
    const MINUTE_US: u64 = 60_000_000;
    let end_us = now_unix_us.saturating_add(u64::try_from(ends_within.as_micros()).unwrap_or(u64::MAX));
    let end = units::utc(end_us.div_ceil(MINUTE_US).saturating_mul(MINUTE_US));
    format!("  {why}; trying again in {:.1} s, until {end} at the latest", wait.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::figures::examples;
    use crate::error::ErrorKind;

    #[test]
    fn only_of_an_address_it_is_asked_whether_it_is_the_right_one() {
        let dir = tempfile::tempdir().unwrap();
        let home = crate::delivery::home::Home::below(dir.path());
        let (key, run) = (SigningKey::from_bytes(&[7; 32]), examples::run(Vec::new()));
        let upload = PendingUpload { file: dir.path().join("a"), envelope: seal(&run, &key), run };
        let server = Server::at("https://bench.example.org").unwrap();
        let advice = |error| upload.explain(&server, &Spool::in_home(&home), &error).error.advice.unwrap();
        let why = || "because of a test".to_owned();
        let not_trusted = advice(DeliveryError::NotTrusted { why: why() });
        assert!(not_trusted.contains("SSL_CERT_FILE") && !not_trusted.contains("address?"), "{not_trusted}");
        let not_ours = advice(DeliveryError::NotOurs { why: why() });
        assert!(not_ours.starts_with("Is that the right address? It is kept in"), "{not_ours}");
    }

    #[test]
    fn a_retry_says_until_when_and_never_too_early() {
        let seconds = std::time::Duration::from_secs_f64;
        let line = |now_s: u64, end_s| {
            let pause = AttemptPause { wait: seconds(0.5), ends_within: seconds(end_s) };
            waiting_line("busy", pause, now_s * 1_000_000)
        };
        assert_eq!(
            line(1_709_208_000, 260.5),
            "  busy; trying again in 0.5 s, until 2024-02-29 12:05 UTC at the latest"
        );
        assert!(line(1_709_208_000, 240.0).contains("12:04 UTC"));
    }

    #[test]
    fn a_file_without_an_end_is_refused_and_not_read_to_it() {
        let key = SigningKey::from_bytes(&[7; 32]);
        let error = PendingUpload::read(Path::new("/dev/zero"), &key).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Data);
        assert!(error.what.contains("larger than 6 MiB"), "{error}");
    }
}
