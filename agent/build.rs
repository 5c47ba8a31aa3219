//! Hands what every result states to the program: its target, and the SHA-256 of each suite's definition,
//! so that the definitions themselves need not be in it.

use std::path::Path;

use sha2::{Digest, Sha256};

/// The definitions that agent and server share.
const SUITES: &str = "../apps/wire/suites";

fn main() {
    let target = std::env::var("TARGET").unwrap_or_default();
    println!("cargo::rustc-env=FSYNCMARK_TARGET={target}");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={SUITES}");
    println!("cargo::rerun-if-env-changed=RUSTC_LINKER");
    if is_linked_by_gnu(&target) {
        // Relocations in their packed form take 1 kB in place of 97; the table that finds unwinding entries,
        // 37 kB, serves nobody where a panic ends the process.
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
        println!("cargo::rustc-link-arg-bins=-Wl,--no-eh-frame-hdr");
    }
    for entry in std::fs::read_dir(SUITES).expect("the suites are in the repository") {
        let path = entry.expect("a folder that can be read").path();
        if path.extension().is_some_and(|extension| extension == "json") {
            state_digest(&path);
        }
    }
}

/// Whether the static program is linked by gcc or clang, which know both arguments; zig's linker does not.
fn is_linked_by_gnu(target: &str) -> bool {
    let linker = std::env::var("RUSTC_LINKER").unwrap_or_default();
    let is_release = std::env::var("PROFILE").is_ok_and(|profile| profile == "release");
    is_release && target == "x86_64-unknown-linux-musl" && !linker.contains("zig") && !linker.contains("lld")
}

/// `quick.v1.json` becomes `FSYNCMARK_SUITE_QUICK_V1`.
fn state_digest(path: &Path) {
    let name = path.file_stem().unwrap_or_default().to_string_lossy().to_uppercase().replace(['.', '-'], "_");
    let digest = Sha256::digest(std::fs::read(path).expect("a definition that can be read"));
    println!("cargo::rustc-env=FSYNCMARK_SUITE_{name}={digest:x}");
}
