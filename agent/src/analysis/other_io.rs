//! How much of what the devices did was done by other programs.

use crate::wire::workload::{OtherIo, Workload};

/// From more than this share of others' traffic on, in thousandths, figures are marked: the counts of flushes and
/// bytes per commit are then not the workload's own.
pub const SHARE_MILLI_MAX: u64 = crate::wire::judgement::others::SHARE_MILLI_MAX;

/// The share of `device_bytes` that other programs wrote, in thousandths, if they went on as in the idle watch
/// before. `device_bytes` were written in `elapsed_ns`. `None` where nothing could be watched or nothing was written.
pub fn share_milli(other_io: &OtherIo, elapsed_ns: u64, device_bytes: u64) -> Option<u64> {
    if other_io.interval_ns == 0 || device_bytes == 0 {
        return None;
    }
    let scaled = u128::from(other_io.bytes) * u128::from(elapsed_ns) * 1_000;
    let share = scaled / (u128::from(other_io.interval_ns) * u128::from(device_bytes));
    Some(u64::try_from(share).unwrap_or(1_000).min(1_000))
}

/// The bytes that others probably wrote. The watch adds up reads and writes, so they are split by their counts.
pub fn written_bytes(other_io: &OtherIo) -> u64 {
    let OtherIo { reads, writes, bytes, .. } = *other_io;
    let all = u128::from(reads) + u128::from(writes);
    let written = u128::from(bytes) * u128::from(writes) / all.max(1);
    u64::try_from(written).unwrap_or(u64::MAX)
}

/// What others wrote in the idle moments before a workload's passes, and their share of what the devices wrote in the
/// passes. `None` for a workload that does not write.
pub fn written_by_others(workload: &Workload) -> Option<(OtherIo, u64)> {
    let writes = workload.histograms.write.is_some() || workload.histograms.commit.is_some();
    let device_bytes = workload.device_bytes.filter(|_| writes)?;
    let all = workload.other_io?;
    let written = OtherIo { reads: 0, bytes: written_bytes(&all), ..all };
    Some((written, share_milli(&written, workload.elapsed_ns, device_bytes)?))
}

/// Whether a share is large enough to be reported.
pub fn is_marked(share_milli: u64) -> bool {
    share_milli > SHARE_MILLI_MAX
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_idle_watch_is_scaled_to_the_passes() {
        // 1 MB in 100 ms, so 40 MB in 4 s: of 400 MB a tenth.
        let busy = OtherIo { interval_ns: 100_000_000, reads: 0, writes: 10, bytes: 1_000_000 };
        let share = share_milli(&busy, 4_000_000_000, 400_000_000);
        assert_eq!((share, share.map(is_marked)), (Some(100), Some(true)));
        assert_eq!(
            share_milli(&busy, 4_000_000_000, 800_000_000).map(is_marked),
            Some(false),
            "5 % is allowed"
        );
        assert_eq!(share_milli(&busy, 4_000_000_000, 1), Some(1_000), "never more than all");
        assert_eq!(share_milli(&OtherIo::default(), 1, 1), None, "nobody watched");
        assert_eq!(share_milli(&busy, 1, 0), None, "nothing was written");
    }
}
