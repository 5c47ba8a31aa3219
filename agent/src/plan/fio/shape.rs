//! What a fio job or a workload does, in the few properties that decide what is measured.

mod options;

use self::options::{EFFECTS, IMMATERIAL};
use super::command::{self, Translation};
use super::job::Job;
use super::numbers::{bytes, nanoseconds};
use crate::plan::workload::{
    Access, Contents, Durability, FileState, PageCache, Sharing, Transfer, WorkloadDefinition,
};
use crate::sys::io_request::SyncCall;

/// Engines that have one operation in flight, whatever the depth.
const SYNC_ENGINES: &[&str] = &["psync", "sync", "vsync", "pvsync", "pvsync2", "mmap"];
/// Engines that keep many in flight.
const ASYNC_ENGINES: &[&str] = &["io_uring", "libaio", "posixaio"];

/// What an operation does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Reads.
    Read,
    /// Writes.
    Write,
    /// Both; this percentage are reads.
    Mix(u64),
}

/// How a write becomes durable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sync {
    /// Not at all.
    None,
    /// `fdatasync` after this many writes.
    Fdatasync(u64),
    /// `fsync` after this many writes.
    Fsync(u64),
    /// The file is opened with `O_DSYNC`.
    ODsync,
    /// The file is opened with `O_SYNC`.
    OSync,
}

/// The state of the file's blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockState {
    /// Written before.
    Overwritten,
    /// Growing with each write.
    Growing,
    /// Reserved, never written.
    Fallocated,
    /// Of its size, without blocks: no workload has it.
    Sparse,
}

/// The properties by which a job is compared with the rows of the table.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools)] // each is a property of its own
pub struct Shape {
    /// What an operation does.
    pub direction: Direction,
    /// At random places, or one after another.
    pub is_random: bool,
    /// Bytes of one operation.
    pub block_bytes: u64,
    /// Operations that each job keeps in flight, as far as its engine lets it.
    pub depth: u64,
    /// Jobs that run in parallel.
    pub jobs: u64,
    /// Whether each job has a file of its own.
    pub has_own_files: bool,
    /// Past the page cache.
    pub is_direct: bool,
    /// How a write becomes durable.
    pub sync: Sync,
    /// State of the file; unknown for a device.
    pub state: Option<BlockState>,
    /// How much of the file is used.
    pub area_bytes: Option<u64>,
    /// Zeros are written.
    pub is_zeros: bool,
    /// How long it runs.
    pub runtime_ns: Option<u64>,
}

impl Shape {
    /// The shape of a workload; `None` for one that no job can have.
    pub fn of_row(row: &WorkloadDefinition) -> Option<Self> {
        let possible = command::translate(row, "/".as_ref());
        if !matches!(possible, Translation::Same { .. }) {
            return None;
        }
        Some(Self {
            direction: match row.operation.facts().transfer {
                Transfer::Read => Direction::Read,
                Transfer::Either => Direction::Mix(50),
                Transfer::Write | Transfer::Nothing => Direction::Write,
            },
            is_random: row.access == Access::Random,
            block_bytes: row.block_bytes,
            depth: row.queue_depth.into(),
            jobs: row.writers.into(),
            has_own_files: row.sharing == Sharing::OwnFiles,
            is_direct: row.page_cache == PageCache::Past,
            sync: match row.durability {
                Durability::Call(SyncCall::Fdatasync) => Sync::Fdatasync(1),
                Durability::Call(SyncCall::Fsync) => Sync::Fsync(1),
                Durability::ODsync | Durability::RwfDsync => Sync::ODsync,
                Durability::None => Sync::None,
            },
            state: Some(match row.file_state {
                FileState::Overwritten => BlockState::Overwritten,
                FileState::Growing => BlockState::Growing,
                FileState::Fallocated => BlockState::Fallocated,
            }),
            area_bytes: Some(row.area_bytes),
            is_zeros: row.contents == Contents::Zeros,
            runtime_ns: Some(row.limits.pass_ns_min),
        })
    }

    /// The shape of a job, with fio's defaults, and a sentence on each option that was not understood or that
    /// no workload has.
    pub fn of_job(job: &Job) -> (Self, Vec<String>) {
        let mut reader = JobReader { job, read: Vec::new(), remarks: Vec::new() };
        let (direction, is_random) = reader.direction();
        let jobs = reader.number("numjobs", 1).max(1);
        let is_direct = reader.is_direct();
        let shape = Self {
            direction,
            is_random,
            block_bytes: reader.block(direction),
            depth: reader.depth(is_direct),
            jobs,
            has_own_files: jobs > 1 && reader.has_own_files(),
            is_direct,
            sync: reader.sync(direction),
            state: reader.state(direction),
            area_bytes: reader.area(jobs),
            is_zeros: reader.is_set("zero_buffers"),
            runtime_ns: reader.runtime(),
        };
        reader.limited_rate();
        reader.effects();
        reader.rest();
        (shape, reader.remarks)
    }
}

/// A job while it is read: what it asks for, and which options were not understood.
struct JobReader<'a> {
    job: &'a Job,
    read: Vec<&'static str>,
    remarks: Vec<String>,
}

impl<'a> JobReader<'a> {
    fn get(&mut self, names: &[&'static str]) -> Option<&'a str> {
        self.read.extend(names);
        let job = self.job;
        job.options
            .iter()
            .rev()
            .find(|(key, _)| names.contains(&key.as_str()))
            .map(|(_, value)| value.as_str())
    }

    /// A number in any of fio's notations; where the text is no number, the default and a remark.
    fn parse_or_remark(
        &mut self,
        name: &'static str,
        value: &str,
        parse: fn(&str) -> Option<u64>,
    ) -> Option<u64> {
        let parsed = parse(value);
        if parsed.is_none() {
            self.remarks.push(format!("not understood: {name}={}", show(value)));
        }
        parsed
    }

    fn number(&mut self, name: &'static str, default: u64) -> u64 {
        let Some(value) = self.get(&[name]) else { return default };
        self.parse_or_remark(name, value, bytes).unwrap_or(default)
    }

    /// An option that is on by itself, or by a number that is not 0.
    fn is_set(&mut self, name: &'static str) -> bool {
        self.get(&[name]).is_some_and(|value| value != "0")
    }

    fn direction(&mut self) -> (Direction, bool) {
        let value = self.get(&["rw", "readwrite"]).unwrap_or("read");
        // What follows a colon is a count or a step between offsets.
        let (kind, modifier) = value.split_once(':').unwrap_or((value, ""));
        if !modifier.is_empty() {
            self.remarks.push(format!("no workload has a step between offsets: rw={}", show(value)));
        }
        let reads = self.number("rwmixread", 50).min(100);
        let writes = self.get(&["rwmixwrite"]).and_then(bytes).map(|writes| writes.min(100));
        let mix = Direction::Mix(writes.map_or(reads, |writes| 100 - writes));
        match kind {
            "read" => (Direction::Read, false),
            "randread" => (Direction::Read, true),
            "write" => (Direction::Write, false),
            "randwrite" => (Direction::Write, true),
            "rw" | "readwrite" => (mix, false),
            "randrw" => (mix, true),
            _ => {
                self.remarks
                    .push(format!("not understood: rw={}; taken as read, fio's default", show(value)));
                (Direction::Read, false)
            }
        }
    }

    /// `bs` has up to three sizes: of reads, of writes, of trims.
    fn block(&mut self, direction: Direction) -> u64 {
        const DEFAULT: u64 = 4 << 10;
        let value = self.get(&["bs", "blocksize"]).unwrap_or("4k");
        let mut sizes = value.split(',');
        let (first, second) =
            (sizes.next().unwrap_or_default(), sizes.next().filter(|size| !size.is_empty()));
        if direction != Direction::Read && second.is_some_and(|second| second != first) && !first.is_empty() {
            self.remarks
                .push(format!("reads and writes differ in size: bs={}; the write's is taken", show(value)));
        }
        let chosen = if direction == Direction::Read { first } else { second.unwrap_or(first) };
        let parsed =
            if chosen.is_empty() { Some(DEFAULT) } else { self.parse_or_remark("bs", chosen, bytes) };
        parsed.filter(|&block| block > 0).unwrap_or(DEFAULT)
    }

    fn is_direct(&mut self) -> bool {
        let direct = self.is_set("direct");
        let buffered = self.get(&["buffered"]).map(|value| value != "0");
        buffered.map_or(direct, |buffered| !buffered)
    }

    fn depth(&mut self, is_direct: bool) -> u64 {
        let depth = self.number("iodepth", 1).max(1);
        let engine = self.get(&["ioengine"]).unwrap_or("psync").to_ascii_lowercase();
        if SYNC_ENGINES.contains(&engine.as_str()) {
            if depth > 1 {
                self.remarks
                    .push(format!("iodepth={depth} has no effect with ioengine={engine}: one is in flight"));
            }
            return 1;
        }
        if !ASYNC_ENGINES.contains(&engine.as_str()) {
            self.remarks.push(format!("no workload is measured like ioengine={}", show(&engine)));
        } else if engine == "libaio" && !is_direct && depth > 1 {
            self.remarks
                .push("libaio waits for each operation without direct=1: one is in flight".to_owned());
            return 1;
        }
        depth
    }

    fn has_own_files(&mut self) -> bool {
        let named = self.get(&["filename"]).is_some();
        let format = self.get(&["filename_format"]);
        !named && format.is_none_or(|format| format.contains("$jobnum"))
    }

    fn sync(&mut self, direction: Direction) -> Sync {
        let open = self.get(&["sync"]).unwrap_or("none").to_ascii_lowercase();
        let (fdatasync, fsync) = (self.number("fdatasync", 0), self.number("fsync", 0));
        if self.get(&["sync_file_range"]).is_some() {
            self.remarks.push("sync_file_range makes nothing durable: it is taken as no sync".to_owned());
        }
        if direction == Direction::Read {
            return Sync::None;
        }
        match (open.as_str(), fdatasync, fsync) {
            ("dsync", ..) => Sync::ODsync,
            ("sync" | "1", ..) => Sync::OSync,
            (_, 0, 0) => Sync::None,
            (_, 0, every) => Sync::Fsync(every),
            (_, every, _) => Sync::Fdatasync(every),
        }
    }

    fn state(&mut self, direction: Direction) -> Option<BlockState> {
        let is_device = self.get(&["filename"]).is_some_and(|name| name.starts_with("/dev/"));
        let overwrite = self.is_set("overwrite");
        let on_open = self.is_set("create_on_open");
        let fallocate = self.get(&["fallocate"]).unwrap_or("native").to_ascii_lowercase();
        let reads = direction == Direction::Read;
        let reserves = matches!(fallocate.as_str(), "native" | "posix" | "keep" | "1");
        Some(match (reads || overwrite || matches!(direction, Direction::Mix(_)), on_open) {
            _ if is_device => return None,
            (true, _) => BlockState::Overwritten,
            (false, true) => BlockState::Growing,
            (false, false) if reserves => BlockState::Fallocated,
            (false, false) => BlockState::Sparse,
        })
    }

    /// The area of all jobs together, where each has a part of it.
    fn area(&mut self, jobs: u64) -> Option<u64> {
        let step = self.number("offset_increment", 0);
        let value = self.get(&["size"])?;
        let size = self.parse_or_remark("size", value, bytes)?;
        let _ = self.get(&["filesize", "file_size"]);
        Some(if step > 0 { size.saturating_add(step.saturating_mul(jobs - 1)) } else { size })
    }

    fn runtime(&mut self) -> Option<u64> {
        let value = self.get(&["runtime", "timeout"])?;
        self.parse_or_remark("runtime", value, nanoseconds)
    }

    fn limited_rate(&mut self) {
        for name in ["rate", "rate_iops", "rate_process", "thinktime"] {
            if let Some(value) = self.get(&[name]) {
                self.remarks.push(format!(
                    "{name}={} holds it back: our workloads of a shape go as fast as they can",
                    show(value)
                ));
            }
        }
    }

    /// Notes options that do not decide the shape and still change the figures.
    fn effects(&mut self) {
        for option in EFFECTS {
            if let Some(value) = self.get(&[option.name]).filter(|value| (option.is_set)(value)) {
                self.remarks.push(format!("{}={} {}", option.name, show(value), option.remark));
            }
        }
    }

    /// Notes options that nothing here has read.
    fn rest(&mut self) {
        let mut unknown: Vec<&str> = Vec::new();
        for (key, _) in &self.job.options {
            let key = key.as_str();
            if !self.read.contains(&key) && !IMMATERIAL.contains(&key) && !unknown.contains(&key) {
                unknown.push(key);
            }
        }
        self.remarks.extend(unknown.into_iter().map(|key| format!("not looked at: {}", show(key))));
    }
}

/// A text of a job, fit to stand in a sentence.
fn show(text: &str) -> String {
    crate::text::printable(text, 60)
}

#[cfg(test)]
mod tests;
