//! Ctrl-C: during a measurement it ends the run in order, anywhere else it ends the program.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;

use crate::error::{Error, Kind, Result};

/// The flag that the timed loop looks at, and whether a signal ends the program at once.
#[derive(Debug, Clone)]
pub struct Stop {
    requested: Arc<AtomicBool>,
    at_once: Arc<AtomicBool>,
}

impl Stop {
    /// Takes over the signals; until `begin` they still end the program at once.
    pub fn install() -> Result<Self> {
        let stop = Self { requested: Arc::default(), at_once: Arc::new(AtomicBool::new(true)) };
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            // In this order: the first signal of a measurement only sets both flags, the second ends.
            flag::register_conditional_default(signal, Arc::clone(&stop.at_once))
                .and_then(|_| flag::register(signal, Arc::clone(&stop.requested)))
                .and_then(|_| flag::register(signal, Arc::clone(&stop.at_once)))
                .map_err(|error| Error::from_io(Kind::Internal, "listen for Ctrl-C", &error))?;
        }
        Ok(stop)
    }

    /// From now on the first signal only asks the measurement to end.
    pub fn begin(&self) {
        self.at_once.store(false, SeqCst);
    }

    /// From now on a signal ends the program again.
    pub fn end(&self) {
        self.at_once.store(true, SeqCst);
    }

    /// The flag, set by the first signal.
    pub fn requested(&self) -> &AtomicBool {
        &self.requested
    }
}
