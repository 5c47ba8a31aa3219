//! How long a delivery may take and when to try again: exponential back-off with jitter, and never sooner
//! than the server asks.

use std::time::Duration;

/// The first wait; it doubles each time.
const FIRST_WAIT: Duration = Duration::from_millis(500);
/// The longest wait between two attempts.
const WAIT_MAX: Duration = Duration::from_secs(30);

/// The time limit of one attempt, all its requests together. An envelope is a few hundred kilobytes, which
/// take a minute on a 100 kbit/s line.
pub const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(60);

/// How long the agent keeps trying within one command. Attempts take their own time beside the waits: at most
/// `attempts * ATTEMPT_TIMEOUT + waiting` in all, and most fail or succeed within a second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetryPolicy {
    /// Attempts, the first included.
    pub attempts: u32,
    /// Time spent waiting, all waits together.
    pub waiting: Duration,
}

/// After a run: somebody is watching, and the result is safe in the spool. With a server that takes every
/// connection and answers none, this ends after 5 min 8 s at the latest.
pub const AFTER_A_RUN: RetryPolicy = RetryPolicy { attempts: 5, waiting: Duration::from_secs(20) };
/// `fsyncmark upload`: delivering is all that was asked for. With such a server, this ends after 12 min 2 s
/// at the latest.
pub const UPLOAD_ALONE: RetryPolicy = RetryPolicy { attempts: 10, waiting: Duration::from_secs(180) };

/// The waits between attempts.
#[derive(Debug)]
pub struct Backoff {
    left: RetryPolicy,
    next: Duration,
}

impl Backoff {
    /// The waits of a delivery that has not begun.
    pub fn new(policy: RetryPolicy) -> Self {
        Self { left: policy, next: FIRST_WAIT }
    }

    /// The longest that it can take from now on, all attempts and waits that are left together.
    pub fn time_left_max(&self) -> Duration {
        self.left.waiting + ATTEMPT_TIMEOUT * self.left.attempts
    }

    /// How long to wait before the next attempt; `None` when the attempts or the time of the policy are used
    /// up, or the server asks for a longer wait than is left. `jitter` is between 0 and 1: it shortens our
    /// own wait by up to half, and lengthens the one that the server asks for by up to half, as far as time
    /// is left. So agents that failed together do not return together, and none returns sooner than the
    /// server asked.
    pub fn next_wait(&mut self, retry_after: Option<Duration>, jitter: f64) -> Option<Duration> {
        self.left.attempts = self.left.attempts.saturating_sub(1);
        let half = jitter.clamp(0.0, 1.0) / 2.0;
        let own = self.next.mul_f64(1.0 - half);
        let shortest = retry_after.map_or(own, |server| server.max(own));
        if self.left.attempts == 0 || shortest > self.left.waiting {
            return None;
        }
        let spread = retry_after.map_or(Duration::ZERO, |server| server.mul_f64(half));
        let wait = (shortest + spread).min(self.left.waiting);
        self.left.waiting -= wait;
        self.next = (self.next * 2).min(WAIT_MAX);
        Some(wait)
    }
}

/// Parses a `Retry-After` header: seconds, or a date (RFC 9110, section 10.2.3) relative to `now_unix`
/// seconds.
pub fn parse_retry_after(value: &str, now_unix: u64) -> Option<Duration> {
    if let Ok(seconds) = value.trim().parse::<u64>() {
        return Some(Duration::from_secs(seconds));
    }
    Some(Duration::from_secs(http_date_unix(value)?.saturating_sub(now_unix)))
}

/// Seconds since 1970 of `Sun, 06 Nov 1994 08:49:37 GMT`.
fn http_date_unix(text: &str) -> Option<u64> {
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let fields: Vec<&str> = text.split_ascii_whitespace().collect();
    let [_, day, month, year, time, "GMT"] = fields[..] else { return None };
    let (day, year) = (day.parse::<u64>().ok()?, year.parse::<u64>().ok()?);
    let month = MONTHS.iter().position(|name| *name == month)? as u64;
    let clock: Vec<u64> = time.split(':').map(|part| part.parse().ok()).collect::<Option<_>>()?;
    let [hour, minute, second] = clock[..] else { return None };
    let is_time = hour < 24 && minute < 60 && second <= 60;
    if !(1970..=9999).contains(&year) || !(1..=31).contains(&day) || !is_time {
        return None;
    }
    // Days from the civil calendar, the year beginning in March so that the leap day is its last.
    let shifted_year = if month < 2 { year - 1 } else { year };
    let day_of_year = (153 * ((month + 10) % 12) + 2) / 5 + day - 1;
    let days = shifted_year * 365 + shifted_year / 4 - shifted_year / 100 + shifted_year / 400 + day_of_year
        - 719_468;
    Some(days * 86_400 + hour * 3_600 + minute * 60 + second)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_and_end_with_the_policy() {
        let mut backoff = Backoff::new(RetryPolicy { attempts: 4, waiting: Duration::from_secs(60) });
        let millis: Vec<_> =
            std::iter::from_fn(|| backoff.next_wait(None, 0.0)).map(|wait| wait.as_millis()).collect();
        assert_eq!(millis, [500, 1000, 2000]);
    }

    #[test]
    fn a_server_that_never_answers_is_given_up_when_it_is_said() {
        let seconds = |policy: RetryPolicy| {
            let mut backoff = Backoff::new(policy);
            let again =
                std::iter::from_fn(|| backoff.next_wait(None, 0.0)).map(|wait| wait + ATTEMPT_TIMEOUT);
            (ATTEMPT_TIMEOUT + again.sum::<Duration>()).as_secs_f64()
        };
        assert_eq!((seconds(AFTER_A_RUN), seconds(UPLOAD_ALONE)), (307.5, 721.5));
    }

    #[test]
    fn what_is_left_at_most_shrinks_by_every_wait_and_attempt() {
        let mut backoff = Backoff::new(AFTER_A_RUN);
        assert_eq!(backoff.time_left_max().as_millis(), 320_000);
        assert_eq!(backoff.next_wait(None, 0.0), Some(FIRST_WAIT));
        assert_eq!(backoff.time_left_max().as_millis(), 19_500 + 4 * 60_000);
    }

    #[test]
    fn jitter_takes_at_most_half() {
        let mut backoff = Backoff::new(UPLOAD_ALONE);
        assert_eq!(backoff.next_wait(None, 1.0), Some(Duration::from_millis(250)));
    }

    #[test]
    fn the_servers_wish_is_honoured_or_the_attempt_given_up() {
        let mut backoff = Backoff::new(AFTER_A_RUN);
        assert_eq!(backoff.next_wait(Some(Duration::from_secs(7)), 0.0), Some(Duration::from_secs(7)));
        assert_eq!(backoff.next_wait(Some(Duration::from_secs(14)), 0.0), None);
    }

    #[test]
    fn agents_that_were_told_the_same_return_apart_and_within_what_is_left() {
        let wait = |seconds, jitter| {
            Backoff::new(AFTER_A_RUN)
                .next_wait(Some(Duration::from_secs(seconds)), jitter)
                .unwrap()
                .as_millis()
        };
        assert_eq!([wait(7, 0.0), wait(7, 0.4), wait(7, 1.0)], [7_000, 8_400, 10_500]);
        assert_eq!([wait(18, 1.0), wait(20, 1.0)], [20_000, 20_000]);
    }

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        assert_eq!(parse_retry_after(" 120 ", 0), Some(Duration::from_secs(120)));
        assert_eq!(
            parse_retry_after("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_770),
            Some(Duration::from_secs(7))
        );
        assert_eq!(parse_retry_after("Thu, 29 Feb 2024 12:00:00 GMT", 1_709_208_000), Some(Duration::ZERO));
        assert_eq!(parse_retry_after("soon", 0), None);
        assert_eq!(parse_retry_after("Sun, 06 Nov 94 08:49:37 GMT", 0), None);
        assert_eq!(parse_retry_after("Sun, 06 Nov 1994 9999999999999999:49:37 GMT", 0), None);
    }
}
