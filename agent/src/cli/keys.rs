//! The arguments of the verbs about the key and what it sent.
#![allow(rustdoc::bare_urls)] // as in cli.rs

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// The server of a command that is about what was sent before.
#[derive(Debug, Clone, Default, Args)]
pub struct ServerArgs {
    /// Which server, for example https://bench.example.org; else $FSYNCMARK_SERVER
    #[arg(long, value_name = "URL")]
    pub server: Option<String>,
}

/// `fsyncmark key`
#[derive(Debug, Clone, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct KeyArgs {
    #[command(subcommand)]
    #[allow(missing_docs)]
    pub action: Option<KeyAction>,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub place: ServerArgs,
}

/// What can be done with a key.
#[derive(Debug, Clone, Subcommand)]
pub enum KeyAction {
    /// Replace the key by a new one, which its owner and its runs follow
    ///
    /// Both keys sign that. The old one is kept beside the new one. Interrupted, call it again: it goes on
    /// where it stopped.
    Rotate(ServerArgs),
}

/// `fsyncmark withdraw`
#[derive(Debug, Clone, Args)]
pub struct WithdrawArgs {
    /// The run: the address that the upload printed, or its id
    #[arg(value_name = "RUN")]
    pub run: String,
    /// Why, for its page
    #[arg(long, value_name = "TEXT")]
    pub reason: Option<String>,
    /// Take a withdrawal back
    #[arg(long)]
    pub undo: bool,
    /// Which server, where RUN is no address; else $FSYNCMARK_SERVER
    #[arg(long, value_name = "URL")]
    pub server: Option<String>,
}

/// `fsyncmark upload`
#[derive(Debug, Clone, Args)]
pub struct UploadArgs {
    /// Signed results; without any, all that wait in the spool
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Where to send them, for example https://bench.example.org; else $FSYNCMARK_SERVER
    #[arg(long, value_name = "URL")]
    pub server: Option<String>,
    /// Agree to publish the signed results under CC0, without being asked
    #[arg(long)]
    pub yes: bool,
    /// Do not wait for what the server makes of it
    #[arg(long)]
    pub no_wait: bool,
    /// Print what became of each as one JSON object a line, and nothing else on stdout
    #[arg(long)]
    pub json: bool,
}
