//! The verb `upload`: sends what waits.

use crate::cli::UploadArgs;
use crate::delivery::Parcel;
use crate::error::{Error, Kind, Result};
use crate::home::Home;
use crate::key;
use crate::retry;
use crate::spool::Spool;
use crate::terminal::Terminal;
use crate::upload::Server;

/// Sends the named files, or all that wait. One failure does not keep the others back; the first is reported.
pub fn upload(args: &UploadArgs) -> Result<()> {
    let terminal = Terminal::detect();
    let home = Home::locate()?;
    let server = Server::at(&args.server)?;
    let spool = Spool::of(&home);
    let files = if args.files.is_empty() { spool.waiting() } else { args.files.clone() };
    if files.is_empty() {
        terminal.say("  Nothing waits to be sent.");
        return Ok(());
    }
    let key = key::load(&home)?.ok_or_else(|| {
        Error::new(Kind::NoInput, format!("there is no key in {}", home.key_file().display()))
            .advise("Results can only be sent with the key that signed them. Was FSYNCMARK_HOME another when you measured?")
    })?;
    let mut parcels = files.iter().map(|file| Parcel::read(file, &key)).collect::<Result<Vec<_>>>()?;
    if !agree(&terminal, args, &server, &parcels)? {
        terminal.say("  Nothing was sent.");
        return Ok(());
    }
    let mut first_problem = None;
    for parcel in &mut parcels {
        let sent = parcel
            .agree(&key, &spool)
            .and_then(|()| parcel.deliver(&server, &key, &spool, retry::UPLOAD_ALONE, &terminal));
        match sent {
            Ok(url) => println!("{url}"),
            Err(error) => {
                terminal.say(&format!("  {}: {error}", parcel.run.run_id));
                first_problem.get_or_insert(error);
            }
        }
    }
    first_problem.map_or(Ok(()), Err)
}

fn agree(terminal: &Terminal, args: &UploadArgs, server: &Server, parcels: &[Parcel]) -> Result<bool> {
    if args.yes {
        return Ok(true);
    }
    if !terminal.can_ask() {
        return Err(Error::new(Kind::NotDelivered, "nothing was sent: there is nobody to ask")
            .advise("Add --yes to agree to publish the results under CC0."));
    }
    for parcel in parcels {
        terminal.say(&format!("  {}  {}", parcel.run.run_id, parcel.file.display()));
    }
    Ok(terminal.ask(&format!("  Send to {} and publish under CC0?", server.address())))
}
