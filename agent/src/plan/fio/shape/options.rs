//! Options of a job that do not decide its shape: those without an effect, and those that are worth a remark.

use crate::plan::fio::numbers::bytes;

/// Options that do not change what is compared here.
pub(super) const IMMATERIAL: &[&str] = &[
    "name",
    "description",
    "filename",
    "directory",
    "filename_format",
    "opendir",
    "thread",
    "group_reporting",
    "new_group",
    "stonewall",
    "wait_for_previous",
    "norandommap",
    "randrepeat",
    "allrandrepeat",
    "random_generator",
    "refill_buffers",
    "scramble_buffers",
    "io_size",
    "ramp_time",
    "time_based",
    "gtod_cpu",
    "clocksource",
    "unlink",
    "exitall",
    "fixedbufs",
    "registerfiles",
    "write_bw_log",
    "write_lat_log",
    "write_iops_log",
    "log_avg_msec",
    "percentile_list",
    "output",
    "output-format",
    "minimal",
    "eta",
    "eta-newline",
    "lat_percentiles",
    "clat_percentiles",
    "end_fsync",
];

/// An option that makes the figures of a job differ from those of the workload with its shape.
pub(super) struct Effect {
    /// Its name.
    pub name: &'static str,
    /// Whether this value has the effect.
    pub is_set: fn(&str) -> bool,
    /// The effect, in words that follow the option and its value.
    pub remark: &'static str,
}

/// On without a value, or with a number other than 0.
fn is_on(value: &str) -> bool {
    value != "0"
}

/// All of them.
pub(super) const EFFECTS: &[Effect] = &[
    Effect {
        name: "hipri",
        is_set: is_on,
        remark: "polls for completions: our workloads wait for interrupts",
    },
    Effect {
        name: "sqthread_poll",
        is_set: is_on,
        remark: "lets a kernel thread submit: our workloads submit by themselves",
    },
    Effect {
        name: "invalidate",
        is_set: |value| value == "0",
        remark: "keeps what the page cache holds of the file, which may answer reads",
    },
    Effect {
        name: "nrfiles",
        is_set: |value| bytes(value) != Some(1),
        remark: "spreads a job over several files: each writer of ours has one",
    },
    Effect {
        name: "gtod_reduce",
        is_set: is_on,
        remark: "measures no latencies: only the rates can be set beside each other",
    },
];
