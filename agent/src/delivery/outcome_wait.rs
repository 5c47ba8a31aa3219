//! Waits, for a bounded time, until a server says what it makes of a run.

use std::time::{Duration, Instant};

use super::server::{Receipt, Retry, RunOutcome, Server};

/// How long a command waits for all its runs: a server that is not busy takes a second for each.
pub const OUTCOME_WAIT: Duration = Duration::from_secs(30);
const FIRST_PAUSE: Duration = Duration::from_millis(250);
const PAUSE_MAX: Duration = Duration::from_secs(3);

/// The wait of one command.
#[derive(Debug)]
pub struct OutcomeWait {
    deadline: Instant,
}

impl OutcomeWait {
    /// A wait that begins now.
    pub fn begin(length: Duration) -> Self {
        Self { deadline: Instant::now() + length }
    }

    /// Asks until the run is judged or the time is over, and at least once. `waiting` gets what is left
    /// before each pause. The error is why nothing is known, as a sentence without a full stop.
    pub fn outcome(
        &self,
        server: &Server,
        run_id: &str,
        receipt: &Receipt,
        waiting: &dyn Fn(Duration),
    ) -> Result<RunOutcome, String> {
        let mut pause = FIRST_PAUSE;
        loop {
            let answer = server.outcome(run_id, &receipt.run_url);
            let asked_for = match &answer {
                Ok(outcome) if outcome.is_final() => return Ok(outcome.clone()),
                Ok(_) => None,
                Err(error) => match error.retry() {
                    Retry::Never => return Err(error.why().to_owned()),
                    Retry::AfterOurWait => None,
                    Retry::AfterPause(pause) => Some(pause),
                },
            };
            let wait = asked_for.map_or(pause, |asked_for| asked_for.max(pause));
            let left = self.deadline.saturating_duration_since(Instant::now());
            if wait > left {
                return answer.map_err(|error| error.why().to_owned());
            }
            waiting(left);
            std::thread::sleep(wait);
            pause = (pause * 2).min(PAUSE_MAX);
        }
    }
}
