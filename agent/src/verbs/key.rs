//! The verb `key`: how this machine identifies itself to a server.

use crate::delivery::home::Home;
use crate::delivery::key;
use crate::error::Result;
use crate::report::terminal;
use crate::wire::envelope::{key_id, public_key_base64};

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
