//! The verb `key`: who this machine is to a server.

use crate::envelope::{key_id, public_key_base64};
use crate::error::Result;
use crate::home::Home;
use crate::key;
use crate::terminal;

/// Prints the key's id, its public half and its file.
pub fn key() -> Result<()> {
    let home = Home::locate()?;
    let key = key::load_or_make(&home)?.verifying_key();
    terminal::print(&format!(
        "key id      {}\npublic key  {}\nkept in     {}",
        key_id(&key),
        public_key_base64(&key),
        home.key_file().display()
    ))
}
