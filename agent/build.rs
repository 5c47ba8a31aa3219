//! Hands the target triple to the program, which states it in every result.

fn main() {
    let target = std::env::var("TARGET").unwrap_or_default();
    println!("cargo::rustc-env=FSYNCMARK_TARGET={target}");
    println!("cargo::rerun-if-changed=build.rs");
}
