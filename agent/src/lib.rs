//! Fsyncmark's agent: measures how many durable commits a second a disk really does, signs the result, and
//! sends it if the person agrees.
//!
//! Its folders are the stages of a run, and each imports only those before it: `probe` looks at the machine,
//! `plan` says what may be measured or refuses before any write, `disk` is the file under test, `analysis`
//! derives figures from what was measured, `engine` measures and asks it between passes, `judgement` says
//! what the figures show, `report` makes the payload and what people see, `delivery` signs, keeps and sends
//! it, `verbs` are what the program can be told. Below all of them lie `wire`, the format that is shared with
//! the server, and `sys`, the kernel.

mod enumeration;
pub mod error;
pub mod exit_code;
pub mod hex;
pub mod text;
pub mod units;

pub mod sys;
pub mod wire;

pub mod analysis;
pub mod delivery;
pub mod disk;
pub mod engine;
pub mod judgement;
pub mod plan;
pub mod probe;
pub mod report;

pub mod cli;
pub mod verbs;
