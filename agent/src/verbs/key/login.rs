//! The verb `login`: links this machine's key with the account of whoever types a code on the server's page.

use std::sync::atomic::Ordering::SeqCst;
use std::time::{Duration, Instant};

use ed25519_dalek::SigningKey;

use crate::cli::ServerArgs;
use crate::delivery::home::Home;
use crate::delivery::key;
use crate::delivery::retry::ATTEMPT_TIMEOUT;
use crate::delivery::server::{DeliveryError, LoginCodes, Retry, Server};
use crate::error::{Error, ErrorKind, Result};
use crate::report::terminal::Terminal;
use crate::sys::signals::Stop;
use crate::wire::envelope::{key_id, short_key_id};

/// The longest wait for the person, whatever the server says.
const WAIT_MAX: Duration = Duration::from_secs(600);
/// The shortest and longest pause between two questions, whatever the server says.
const PAUSE_MIN: Duration = Duration::from_secs(1);
const PAUSE_MAX: Duration = Duration::from_secs(60);
/// What a server that was asked too soon wants more (RFC 8628, section 3.5).
const SLOWER_BY: Duration = Duration::from_secs(5);
/// How soon Ctrl-C is noticed.
const LOOK: Duration = Duration::from_millis(100);

/// Shows the code and waits until somebody has typed it.
pub fn login(args: &ServerArgs) -> Result<()> {
    let terminal = Terminal::detect();
    let server = Server::named(args.server.as_deref())?;
    let key = key::load_or_make(&Home::locate()?)?;
    let keyid = key_id(&key.verifying_key());
    let failed = |error: DeliveryError| error.into_error(server.address(), "the login");
    server.enrol(&key, ATTEMPT_TIMEOUT).map_err(failed)?;
    let codes = server.begin_login(&key).map_err(failed)?;
    let stop = Stop::install()?;
    stop.begin();
    // The page knows the code only after the key has asked, which proves whose it is.
    let mut waiting = LoginWait::begin(&codes, Instant::now());
    let mut standing = ask(&server, &key, &codes, &mut waiting).map_err(failed)?;
    say(&terminal, &codes, &keyid)?;
    while standing == LoginState::Pending {
        wait(&terminal, &stop, &waiting)?;
        standing = ask(&server, &key, &codes, &mut waiting).map_err(failed)?;
    }
    terminal.show_waiting("");
    let _ = stop.end();
    end(&terminal, standing, &server)
}

/// How a login stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LoginState {
    Pending,
    Approved,
    Denied,
    Expired,
}

/// When to ask again, and when to give up.
#[derive(Debug)]
struct LoginWait {
    pause: Duration,
    end: Instant,
}

impl LoginWait {
    fn begin(codes: &LoginCodes, now: Instant) -> Self {
        let end = now + Duration::from_secs(codes.expires_in).min(WAIT_MAX);
        let mut waiting = Self { pause: PAUSE_MIN, end };
        waiting.set_pause(Duration::from_secs(codes.interval));
        waiting
    }

    fn set_pause(&mut self, pause: Duration) {
        self.pause = pause.clamp(PAUSE_MIN, PAUSE_MAX);
    }

    /// What follows from an answer; an error that can pass is waited out.
    fn take(
        &mut self,
        answer: std::result::Result<(String, u64), DeliveryError>,
    ) -> std::result::Result<LoginState, DeliveryError> {
        match answer {
            Ok((state, interval)) => {
                self.set_pause(Duration::from_secs(interval));
                Ok(match state.as_str() {
                    "approved" => LoginState::Approved,
                    "denied" => LoginState::Denied,
                    "pending" => LoginState::Pending,
                    _ => LoginState::Expired,
                })
            }
            Err(error) => match error.retry() {
                Retry::Never => Err(error),
                Retry::AfterOurWait => Ok(LoginState::Pending),
                Retry::AfterPause(asked_for) => {
                    self.set_pause(asked_for.max(self.pause + SLOWER_BY));
                    Ok(LoginState::Pending)
                }
            },
        }
    }
}

fn ask(
    server: &Server,
    key: &SigningKey,
    codes: &LoginCodes,
    waiting: &mut LoginWait,
) -> std::result::Result<LoginState, DeliveryError> {
    if Instant::now() >= waiting.end {
        return Ok(LoginState::Expired);
    }
    let answer = server.poll_login(key, &codes.device_code);
    waiting.take(answer.map(|standing| (standing.state, standing.interval)))
}

fn say(terminal: &Terminal, codes: &LoginCodes, keyid: &str) -> Result<()> {
    terminal.say("  Open this page, sign in, and type the code:");
    terminal.print(&format!("{}\n{}", codes.verification_url, codes.user_code))?;
    terminal.say(&format!("  The page shows your key. It must be {}, in full", short_key_id(keyid)));
    terminal.say_whole(&format!("  {}", grouped(keyid)));
    terminal.say("  If it shows another one, or you did not ask for this, say no there.");
    Ok(())
}

/// A key id in groups of eight digits, as the page has it: eyes follow those.
fn grouped(keyid: &str) -> String {
    const GROUP: usize = 8;
    let groups: Vec<_> = keyid.as_bytes().chunks(GROUP).map(String::from_utf8_lossy).collect();
    groups.join(" ")
}

/// Waits until the next question; an error after Ctrl-C.
fn wait(terminal: &Terminal, stop: &Stop, waiting: &LoginWait) -> Result<()> {
    let next = (Instant::now() + waiting.pause).min(waiting.end);
    loop {
        if stop.requested().load(SeqCst) {
            terminal.show_waiting("");
            return Err(Error::new(ErrorKind::Interrupted, "stopped; nothing was linked by this login")
                .advise(
                    "The code is void in ten minutes. Nobody can use it without saying yes on the page.",
                ));
        }
        let left = next.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(());
        }
        let seconds = waiting.end.saturating_duration_since(Instant::now()).as_secs();
        terminal.show_waiting(&format!("  Waiting for you, {}:{:02} left", seconds / 60, seconds % 60));
        std::thread::sleep(left.min(LOOK));
    }
}

fn end(terminal: &Terminal, standing: LoginState, server: &Server) -> Result<()> {
    let failed = |kind, what: &str, advice: &str| Err(Error::new(kind, what).advise(advice));
    match standing {
        LoginState::Approved => {
            terminal.say(&format!(
                "  Linked. What this machine sends to {} is now your account's.",
                server.address()
            ));
            Ok(())
        }
        LoginState::Denied => failed(
            ErrorKind::RejectedByServer,
            "somebody said no on the page: nothing was linked",
            "If it was you, call fsyncmark login again.",
        ),
        LoginState::Pending | LoginState::Expired => failed(
            ErrorKind::NotDelivered,
            "nobody typed the code in time: nothing was linked",
            "Call fsyncmark login again for a new one.",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(expires_in: u64, interval: u64) -> LoginCodes {
        LoginCodes {
            device_code: "d".to_owned(),
            user_code: "BCDF-GHJK".to_owned(),
            verification_url: "https://a/account/link/".to_owned(),
            expires_in,
            interval,
        }
    }

    #[test]
    fn no_server_makes_the_agent_wait_for_longer_or_ask_faster() {
        let now = Instant::now();
        let waiting = LoginWait::begin(&codes(86_400, 0), now);
        assert_eq!((waiting.end - now, waiting.pause), (WAIT_MAX, PAUSE_MIN));
        let waiting = LoginWait::begin(&codes(60, 86_400), now);
        assert_eq!((waiting.end - now, waiting.pause), (Duration::from_secs(60), PAUSE_MAX));
    }

    #[test]
    fn a_server_that_is_asked_too_soon_is_asked_less_often() {
        let mut waiting = LoginWait::begin(&codes(600, 5), Instant::now());
        let too_soon = |seconds| DeliveryError::Temporary {
            why: "too soon".to_owned(),
            retry_after: Some(Duration::from_secs(seconds)),
        };
        assert_eq!(waiting.take(Err(too_soon(1))), Ok(LoginState::Pending));
        assert_eq!(waiting.pause, Duration::from_secs(10));
        assert_eq!(waiting.take(Err(too_soon(40))), Ok(LoginState::Pending));
        assert_eq!(waiting.pause, Duration::from_secs(40));
        let lost = DeliveryError::NoAnswer { why: "the network is away".to_owned() };
        assert_eq!(waiting.take(Err(lost)), Ok(LoginState::Pending));
        assert_eq!(waiting.take(Ok(("pending".to_owned(), 5))), Ok(LoginState::Pending));
        assert_eq!(waiting.pause, Duration::from_secs(5));
        for (state, standing) in [
            ("approved", LoginState::Approved),
            ("denied", LoginState::Denied),
            ("expired", LoginState::Expired),
            ("whatever", LoginState::Expired),
        ] {
            assert_eq!(waiting.take(Ok((state.to_owned(), 5))), Ok(standing));
        }
    }

    #[test]
    fn a_refusal_ends_it_at_once() {
        let mut waiting = LoginWait::begin(&codes(600, 5), Instant::now());
        let not_ours = DeliveryError::NotOurs { why: "another site".to_owned() };
        assert!(waiting.take(Err(not_ours)).is_err());
    }
}
