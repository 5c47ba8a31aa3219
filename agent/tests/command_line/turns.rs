//! Two runs in one folder take turns.

use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStderr, Stdio};

use crate::support::Place;
use rustix::process::{Pid, Signal, kill_process};

/// A run of the program, and what it says.
struct Running {
    child: Child,
    stderr: BufReader<ChildStderr>,
}

impl Running {
    fn begin(place: &Place) -> Self {
        let args = ["run", place.disk.to_str().unwrap(), "--only", "commit-8k-fsync", "--no-upload"];
        let mut child = place.command(&args).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let stderr = BufReader::new(child.stderr.take().unwrap());
        Self { child, stderr }
    }

    /// What it says until one of these words.
    fn listen_until(&mut self, words: &str) -> String {
        let mut said = String::new();
        while !said.contains(words) {
            assert!(self.stderr.read_line(&mut said).unwrap() > 0, "it never says {words}: {said}");
        }
        said
    }

    fn interrupt(mut self) {
        kill_process(Pid::from_child(&self.child), Signal::INT).unwrap();
        self.child.wait().unwrap();
    }
}

#[test]
fn two_agents_in_one_folder_wait_for_each_other_and_say_for_whom() {
    let (place, elsewhere) = (Place::new(), Place::new());
    let mut first = Running::begin(&place);
    first.listen_until("Writes at most");
    let mut second = Running::begin(&place);
    let said = second.listen_until("waiting until it ends");
    let holder = format!("fsyncmark (process {}) has this folder", first.child.id());
    assert!(said.contains(&holder) && !said.contains("Writes at most"), "{said}");
    let mut other = Running::begin(&elsewhere);
    assert!(
        !other.listen_until("Writes at most").contains("waiting until it ends"),
        "another folder is free"
    );
    other.interrupt();
    first.interrupt();
    second.listen_until("Writes at most");
    second.interrupt();
}
