//! Command lines: whatever is typed is understood or refused in words, and what is understood can be planned.
#![no_main]

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::Path;

use clap::Parser;
use fsyncmark::cli::{Cli, Verb};
use fsyncmark::plan;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    // One argument a line.
    let words = bytes.split(|byte| *byte == b'\n').map(|word| OsString::from_vec(word.to_vec()));
    match Cli::try_parse_from(std::iter::once(OsString::from("fsyncmark")).chain(words)) {
        Err(refused) => assert!(!refused.render().to_string().is_empty()),
        Ok(Cli { verb: Verb::Run(args) }) => {
            if let Ok(plan) = plan::unchecked(Path::new("/"), args.suite, &args.choice()) {
                assert!(!plan.workloads.is_empty() && plan.bytes_written_max <= args.suite.bytes_written_max);
                assert!(plan.seconds_usual <= plan.seconds_max);
            }
        }
        Ok(_) => {}
    }
});
