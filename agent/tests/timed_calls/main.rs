//! The timed loops make no system call but their I/O: looked at with strace, between the first operation that
//! counts and the last. Left out, with a word, where strace is missing or may not look. Without the harness
//! of other tests: this program starts itself under strace.

#[cfg(target_os = "linux")]
mod linux;

fn main() {
    #[cfg(target_os = "linux")]
    linux::look();
    #[cfg(not(target_os = "linux"))]
    eprintln!("left out: strace is a program of Linux");
}
