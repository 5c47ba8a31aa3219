//! Ctrl-C: during a measurement it ends the run cleanly, at any other time it ends the program.

use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

use crate::error::{Error, ErrorKind, Result};

/// A second signal within this time is taken for the same one: `timeout` signals its child and then the whole
/// group, and when a terminal closes, both it and the shell signal the program.
const ECHO: Duration = Duration::from_secs(1);

/// The flag that the timed loop looks at, and whether a signal ends the program at once.
#[derive(Debug, Clone, Default)]
pub struct Stop {
    requested: Arc<AtomicBool>,
    /// Whether a first signal only asks the run to end. Locked while a signal is handled, so that none is
    /// lost at the end.
    is_measuring: Arc<Mutex<bool>>,
}

impl Stop {
    /// Installs the handlers; until `begin`, signals still end the program at once. They are received by a
    /// thread that sleeps until one comes. Signals that were ignored when the program was started, as `nohup`
    /// does with SIGHUP, stay ignored.
    pub fn install() -> Result<Self> {
        let failed = |error| Error::from_io(ErrorKind::Internal, "listen for Ctrl-C", &error);
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let signals = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&signal| !is_ignored(&status, signal));
        let mut signals = Signals::new(signals).map_err(failed)?;
        let stop = Self::default();
        let listener = stop.clone();
        let listen = move || {
            let mut first = None;
            for signal in signals.forever() {
                if listener.ends_the_program(&mut first, Instant::now()) {
                    // Does not return: this is how these signals end a program that has no handler.
                    let _ = emulate_default_handler(signal);
                }
            }
        };
        std::thread::Builder::new().name("signals".to_owned()).spawn(listen).map_err(failed)?;
        Ok(stop)
    }

    /// From now on the first signal only asks the measurement to end.
    pub fn begin(&self) {
        *self.lock_is_measuring() = true;
    }

    /// From now on a signal ends the program again. Returns whether a signal came before: then the caller has
    /// to end the run.
    #[must_use]
    pub fn end(&self) -> bool {
        let mut is_measuring = self.lock_is_measuring();
        *is_measuring = false;
        self.requested.load(SeqCst)
    }

    fn lock_is_measuring(&self) -> MutexGuard<'_, bool> {
        self.is_measuring.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The flag, set by the first signal.
    pub fn requested(&self) -> &AtomicBool {
        &self.requested
    }

    /// Handles a signal. `first` is when the first one of this measurement came.
    fn ends_the_program(&self, first: &mut Option<Instant>, now: Instant) -> bool {
        let is_measuring = self.lock_is_measuring();
        if !*is_measuring {
            return true;
        }
        self.requested.store(true, SeqCst);
        now.duration_since(*first.get_or_insert(now)) >= ECHO
    }
}

/// Whether `/proc/self/status` has a signal among those that are ignored.
fn is_ignored(status: &str, signal: i32) -> bool {
    let mask =
        status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::Ordering::Relaxed;

    #[test]
    fn only_during_a_measurement_a_signal_is_a_request() {
        let (stop, now) = (Stop::default(), Instant::now());
        assert!(stop.ends_the_program(&mut None, now));
        assert!(!stop.requested().load(Relaxed));
        stop.begin();
        assert!(!stop.ends_the_program(&mut None, now));
        assert!(stop.requested().load(Relaxed));
        assert!(stop.end(), "it came before the end, whoever else looked");
        assert!(stop.ends_the_program(&mut None, now));
    }

    #[test]
    fn a_measurement_that_nobody_interrupted_ends_without_a_request() {
        let stop = Stop::default();
        stop.begin();
        assert!(!stop.end());
    }

    #[test]
    fn the_kernels_mask_says_what_is_ignored() {
        let status = "Name:\tfsyncmark\nSigBlk:\t0000000000000000\nSigIgn:\t0000000000001001\nSigCgt:\t0\n";
        assert!(is_ignored(status, SIGHUP) && !is_ignored(status, SIGINT) && !is_ignored("", SIGHUP));
    }

    #[test]
    fn a_second_signal_ends_the_program_but_an_echo_does_not() {
        let (stop, now, mut first) = (Stop::default(), Instant::now(), None);
        stop.begin();
        for (after_ms, ends) in [(0, false), (1, false), (900, false), (1_000, true)] {
            let at = now + Duration::from_millis(after_ms);
            assert_eq!(stop.ends_the_program(&mut first, at), ends, "{after_ms} ms");
        }
    }
}
