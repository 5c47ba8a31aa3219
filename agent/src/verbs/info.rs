//! The verb `info`: what was found, and every byte that an upload would carry.

use crate::cli::InfoArgs;
use crate::error::Result;
use crate::probe;

/// Prints both.
pub fn info(args: &InfoArgs) -> Result<()> {
    let facts = probe::gather(&args.dir)?;
    println!("{facts:#?}");
    Ok(())
}
