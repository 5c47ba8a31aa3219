//! The verb `report`: a kept result once more, on the terminal or as a page.

use crate::cli::ReportArgs;
use crate::error::Result;
use crate::report::terminal::{Terminal, summary};
use crate::report::{html, output_file};
use crate::verbs::result_file;

/// Shows a result, or makes a page of it.
pub fn report(args: &ReportArgs) -> Result<()> {
    let result = result_file::open(&args.file)?;
    let terminal = Terminal::detect();
    let Some(path) = &args.html else {
        summary::print(&terminal, result.shown());
        return Ok(());
    };
    output_file::write(path, &html::page(result.shown()))?;
    terminal.say(&format!("  The page is in {}", path.display()));
    Ok(())
}
