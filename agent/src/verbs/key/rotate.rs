//! The verb `key rotate`: a new key stands in for the old one, on the server and in the file.

use crate::delivery::home::Home;
use crate::delivery::rotation::Rotation;
use crate::delivery::server::{DeliveryError, Server};
use crate::delivery::spool::Spool;
use crate::error::{Error, ErrorKind, Result};
use crate::report::terminal::Terminal;
use crate::wire::envelope::{key_id, short_key_id};

use crate::delivery::retry::ATTEMPT_TIMEOUT;

/// Replaces the key. Called again after an interruption, it goes on where that was.
pub(super) fn rotate(stated: Option<&str>) -> Result<()> {
    let terminal = Terminal::detect();
    let home = Home::locate()?;
    let server = Server::named(stated)?;
    if !Rotation::is_under_way(&home) {
        refuse_waiting(&Spool::in_home(&home), &server)?;
    }
    let rotation = Rotation::begin(&home)?;
    let [old, new] = [&rotation.old, &rotation.new].map(|key| key_id(&key.verifying_key()));
    if rotation.is_resumed {
        terminal.say("  An earlier rotation was interrupted: going on with its new key.");
    }
    tell(&server, &rotation, &old, &new)
        .map_err(|error| error.into_error(server.address(), "the rotation"))?;
    let kept = rotation.finish()?;
    terminal.print_broken(&format!(
        "old key     {}\nkept in     {}\nnew key     {}\nkept in     {}",
        short_key_id(&old),
        kept.display(),
        short_key_id(&new),
        home.key_file().display()
    ))
}

/// Results that wait were signed with the old key, which signs nothing new once it is replaced.
fn refuse_waiting(spool: &Spool, server: &Server) -> Result<()> {
    let count = spool.waiting_files()?.len();
    if count == 0 {
        return Ok(());
    }
    let what = format!("{count} of the old key's results wait to be sent, and could not be sent afterwards");
    Err(Error::new(ErrorKind::NotDelivered, what)
        .advise(format!("Send them first: fsyncmark upload --server {}. Or remove them.", server.address())))
}

/// Tells the server, which has perhaps heard it before.
fn tell(
    server: &Server,
    rotation: &Rotation,
    old: &str,
    new: &str,
) -> std::result::Result<(), DeliveryError> {
    // An old key that was rotated there stays what it is.
    server.enrol(&rotation.old, ATTEMPT_TIMEOUT)?;
    server.enrol(&rotation.new, ATTEMPT_TIMEOUT)?;
    let refused = match server.rotate(&rotation.old, &rotation.new) {
        Err(error) if error.refusal().is_some() => error,
        answer => return answer,
    };
    let standing = server.key_standing(old)?;
    let was_heard = standing.is_some_and(|standing| standing.replaced_by.as_deref() == Some(new));
    if was_heard { Ok(()) } else { Err(refused) }
}
