//! The verb `withdraw`: takes a run that this machine's key sent out of the standings, or back into them.

use crate::cli::WithdrawArgs;
use crate::delivery::home::Home;
use crate::delivery::key;
use crate::delivery::server::Server;
use crate::error::{Error, ErrorKind, Result};
use crate::report::terminal::Terminal;
use crate::sys::clock;
use crate::text::displayable;

/// The longest reason, in characters.
const REASON_LENGTH_MAX: usize = 500;

/// Signs the statement and sends it.
pub fn withdraw(args: &WithdrawArgs) -> Result<()> {
    let terminal = Terminal::detect();
    let (site, name) = read_name(&args.run)?;
    let server = Server::named(args.server.as_deref().or(site))?;
    let reason = args.reason.as_deref().unwrap_or_default();
    check_reason(reason)?;
    let home = Home::locate()?;
    let key = key::load(&home)?.ok_or_else(|| {
        Error::new(ErrorKind::NoInput, format!("there is no key in {}", home.key_file().display()))
            .advise("Only the key that sent a run can withdraw it; an account does so on the run's page.")
    })?;
    let run_id = if is_run_id(name) { name.to_owned() } else { ask_for_id(&server, name)? };
    let now_ns = clock::wall_unix_us() * 1_000;
    server
        .withdraw(&key, &run_id, !args.undo, reason, now_ns)
        .map_err(|error| error.into_error(server.address(), "the withdrawal"))?;
    terminal.say(if args.undo {
        "  The withdrawal is taken back: the run is judged as before."
    } else {
        "  Withdrawn: it counts no more, and its page says that its sender withdrew it. \
         To take that back: --undo"
    });
    terminal.print(&run_id)
}

/// The id of the run that a server calls `name`. What is signed is an id and nothing else that it may say.
fn ask_for_id(server: &Server, name: &str) -> Result<String> {
    let run_id = server.run_id_of(name).map_err(|error| error.into_error(server.address(), "the run"))?;
    if is_run_id(&run_id) {
        return Ok(run_id);
    }
    let what = format!("{} answered with {run_id}, which is no id of a run", server.address());
    Err(Error::new(ErrorKind::NotDelivered, what).advise("Is that the right address?"))
}

/// The server and the name of a run that was named by its address, or by its id alone.
fn read_name(run: &str) -> Result<(Option<&str>, &str)> {
    let bare = run.trim_end_matches('/');
    let parts = ["/runs/", "/r/"].iter().find_map(|part| bare.split_once(part));
    let (site, name) = parts.map_or((None, bare), |(site, name)| (Some(site), name));
    let fits = |name: &str| {
        (1..=80).contains(&name.len())
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    if fits(name) {
        return Ok((site, name));
    }
    Err(Error::new(ErrorKind::Usage, format!("{} names no run", displayable(run, 200)))
        .advise("Name it by its id, or by the address that the upload printed."))
}

/// The server takes what shows on a page as what it is.
fn check_reason(reason: &str) -> Result<()> {
    if displayable(reason, REASON_LENGTH_MAX) == reason {
        return Ok(());
    }
    Err(Error::new(ErrorKind::Usage, "this is no reason for a page").advise(format!(
        "One line of at most {REASON_LENGTH_MAX} characters, single blanks between its words."
    )))
}

/// Whether a name is a UUID as it is written in an address.
fn is_run_id(name: &str) -> bool {
    uuid::Uuid::try_parse(name).is_ok_and(|id| id.to_string() == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_named_by_its_address_or_its_id() {
        let id = "01993b7c-4b1e-7a5b-8c2d-112233445566";
        assert_eq!(read_name(id), Ok((None, id)));
        let page = format!("https://a.example:8000/sub/runs/{id}/");
        assert_eq!(read_name(&page), Ok((Some("https://a.example:8000/sub"), id)));
        assert_eq!(read_name("https://a.example/r/k3f9x2ab"), Ok((Some("https://a.example"), "k3f9x2ab")));
        for wrong in ["", "../../etc", "a b", "https://a.example/runs/", "https://a/runs/x?y=1", "\u{1b}[2J"]
        {
            assert_eq!(read_name(wrong).unwrap_err().kind, ErrorKind::Usage, "{wrong:?}");
        }
        assert!(is_run_id(id) && !is_run_id("k3f9x2ab") && !is_run_id(&id.to_uppercase()));
    }

    #[test]
    fn a_reason_is_one_line_that_a_page_can_show() {
        for good in ["", "the disk was replaced", "读写"] {
            assert_eq!(check_reason(good), Ok(()));
        }
        for wrong in ["a\nb", "a\u{202e}b", "\u{1b}[2J", " a", &"x".repeat(501)] {
            assert_eq!(check_reason(wrong).unwrap_err().kind, ErrorKind::Usage, "{wrong:?}");
        }
    }
}
