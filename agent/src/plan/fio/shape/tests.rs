//! Jobs as they are written, and what they are taken for.

use super::*;
use crate::plan::fio::job::from_arguments;

fn read(line: &str) -> (Shape, Vec<String>) {
    let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
    Shape::of_job(&from_arguments(&words).unwrap().jobs[0])
}

#[test]
fn what_is_not_said_is_as_fio_has_it() {
    let (shape, remarks) = read("--name=x");
    assert_eq!(remarks, [""; 0]);
    assert_eq!((shape.direction, shape.block_bytes, shape.depth, shape.jobs), (Direction::Read, 4096, 1, 1));
    assert_eq!(
        (shape.is_direct, shape.sync, shape.state),
        (false, Sync::None, Some(BlockState::Overwritten))
    );
    assert_eq!(read("--rw=write").0.state, Some(BlockState::Fallocated), "fallocate=native");
    assert_eq!(read("--rw=write --fallocate=none").0.state, Some(BlockState::Sparse));
    assert_eq!(read("--rw=write --filename=/dev/nvme0n1").0.state, None);
}

#[test]
fn an_engine_decides_whether_a_depth_means_anything() {
    let (shape, remarks) = read("--rw=randread --ioengine=psync --iodepth=32");
    assert_eq!((shape.depth, remarks.len()), (1, 1));
    let (shape, remarks) = read("--rw=randread --ioengine=libaio --iodepth=32");
    assert_eq!((shape.depth, remarks.len()), (1, 1), "{remarks:?}");
    let (shape, remarks) = read("--rw=randread --ioengine=libaio --iodepth=32 --direct=1");
    assert_eq!((shape.depth, remarks), (32, Vec::new()));
    assert!(read("--ioengine=rbd").1[0].contains("ioengine=rbd"));
}

#[test]
fn sizes_of_both_directions_and_parts_of_a_file() {
    assert_eq!(read("--rw=randwrite --bs=4k,16k").0.block_bytes, 16 << 10);
    assert_eq!(read("--rw=randread --bs=4k,16k").0.block_bytes, 4 << 10);
    assert_eq!(read("--rw=randwrite --bs=,16k").0.block_bytes, 16 << 10);
    assert_eq!(read("--size=16m --offset_increment=16m --numjobs=4").0.area_bytes, Some(64 << 20));
    assert_eq!(read("--rw=randrw --rwmixwrite=30").0.direction, Direction::Mix(70));
}

#[test]
fn syncs_of_every_kind() {
    for (options, sync) in [
        ("--fsync=1", Sync::Fsync(1)),
        ("--fdatasync=32", Sync::Fdatasync(32)),
        ("--sync=1", Sync::OSync),
        ("--sync=dsync --fsync=1", Sync::ODsync),
        ("--sync_file_range=write:1", Sync::None),
    ] {
        assert_eq!(read(&format!("--rw=write {options}")).0.sync, sync, "{options}");
    }
    assert_eq!(read("--rw=read --fsync=1").0.sync, Sync::None);
}

#[test]
fn what_is_not_understood_is_said_and_nothing_else_is() {
    let (shape, remarks) = read(
        "--rw=trim --bs=x --size=10% --runtime=1y --numjobs=9999999999999999999999 --bssplit=4k/50 --rate_iops=99",
    );
    let text = remarks.join("\n");
    for part in
        ["rw=trim", "bs=x", "size=10%", "runtime=1y", "numjobs=999", "not looked at: bssplit", "rate_iops=99"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert_eq!((shape.block_bytes, shape.area_bytes, shape.runtime_ns, shape.jobs), (4096, None, None, 1));
    assert_eq!(remarks.len(), 7);
}

#[test]
fn options_that_make_other_figures_get_a_remark() {
    for option in ["--hipri=1", "--sqthread_poll=1", "--invalidate=0", "--nrfiles=4", "--gtod_reduce=1"] {
        let (_, remarks) = read(&format!("--rw=randread {option}"));
        assert_eq!(remarks.len(), 1, "{option}: {remarks:?}");
        assert!(remarks[0].starts_with(option.trim_start_matches('-')), "{remarks:?}");
    }
    let plain = "--rw=randread --hipri=0 --sqthread_poll=0 --invalidate=1 --nrfiles=1 --gtod_reduce=0";
    assert_eq!(read(plain).1, [""; 0]);
}
