//! What the tests of the program share: a folder, a home, and a server of our own.
#![allow(dead_code)] // each test program uses its part

pub mod server;

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use fsyncmark::delivery::home::Home;
use fsyncmark::delivery::spool::Spool;
use fsyncmark::delivery::{self, key};
use fsyncmark::wire::payload::Run;
use serde_json::Value;

/// A folder on a disk (`/tmp` may be memory) and a home of its own.
pub struct Place {
    _root: tempfile::TempDir,
    pub disk: PathBuf,
    pub home: PathBuf,
}

impl Place {
    pub fn new() -> Self {
        let root = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let (disk, home) = (root.path().join("disk"), root.path().join("home"));
        std::fs::create_dir(&disk).unwrap();
        Self { _root: root, disk, home }
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fsyncmark"));
        command.args(args).env("FSYNCMARK_HOME", &self.home).stdin(Stdio::null());
        for name in ["SSL_CERT_FILE", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"] {
            command.env_remove(name);
        }
        command
    }

    pub fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    pub fn settings(&self) -> Home {
        Home::below(&self.home)
    }

    /// A signed result in the spool, as if it had been measured; with or without a yes.
    pub fn spooled(&self, agreed: bool) -> (Run, PathBuf) {
        let mut run: Run = serde_json::from_str(include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../tests/wire/v1/valid/interrupted.json"
        )))
        .unwrap();
        if !agreed {
            run.consent = None;
        }
        let file = self.spool(&run);
        (run, file)
    }

    /// Another result in the spool, of a run that was later.
    pub fn spooled_later(&self) -> (Run, PathBuf) {
        let (mut run, _) = self.spooled(true);
        "ffffffff-ffff-7fff-bfff-ffffffffffff".clone_into(&mut run.run_id);
        let file = self.spool(&run);
        (run, file)
    }

    fn spool(&self, run: &Run) -> PathBuf {
        let key = key::load_or_make(&self.settings()).unwrap();
        let envelope = delivery::seal(run, &key).to_bytes();
        Spool::in_home(&self.settings()).save(&run.run_id, &envelope).unwrap()
    }

    pub fn is_clean(&self) -> bool {
        std::fs::read_dir(&self.disk).unwrap().next().is_none()
    }
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[track_caller]
pub fn assert_exit(output: &Output, code: i32) {
    assert_eq!(output.status.code(), Some(code), "{}\n{}", text(&output.stdout), text(&output.stderr));
}

/// The names of all members, of arrays those of the first item.
pub fn shape(value: &Value) -> Vec<String> {
    match value {
        Value::Object(members) => members
            .iter()
            .flat_map(|(name, member)| shape(member).into_iter().map(move |rest| format!("{name}.{rest}")))
            .collect(),
        Value::Array(items) => {
            items.first().filter(|item| item.is_object()).map_or(vec![String::new()], shape)
        }
        _ => vec![String::new()],
    }
}
