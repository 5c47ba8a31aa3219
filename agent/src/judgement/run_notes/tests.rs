//! Each note on a run that deserves it, and none on one that does not.

use super::*;
use crate::analysis::figures::examples::example;
use crate::wire::interference::{DeviceTraffic, Interference};

/// A run as clean as they come: a drive that states everything, steady, alone on its disk.
fn clean_run() -> Run {
    let mut run = example();
    run.stack[0] = "xfs".to_owned();
    let device = &mut run.devices[0];
    device.write_cache = "write through".to_owned();
    device.model = "SAMSUNG MZQL21T9HCJR-00A07".to_owned();
    let headline = &mut run.workloads[0];
    headline.flushes = Some(0);
    headline.device_bytes = Some(headline.bytes);
    for pass in &mut headline.passes {
        (pass.operations, pass.elapsed_ns) = (40_000, 4_000_000_000);
    }
    set_commits(&mut run, 89_000, 130_000);
    run
}

/// All commits take `usual_ns`, but one in five hundred takes `tail_ns`.
fn set_commits(run: &mut Run, usual_ns: u64, tail_ns: u64) {
    let histogram = crate::engine::histogram::Histogram::default();
    for number in 0..10_000 {
        histogram.record(if number % 500 == 0 { tail_ns } else { usual_ns });
    }
    run.workloads[0].histograms.commit = histogram.snapshot().map(Into::into);
}

#[track_caller]
fn assert_notes(expected: &[NoteId], change: impl FnOnce(&mut Run)) -> Vec<Note> {
    let mut run = clean_run();
    change(&mut run);
    let notes = notes_on_run(&run);
    assert_eq!(notes.iter().map(|note| note.id).collect::<Vec<_>>(), expected, "{notes:#?}");
    notes
}

#[test]
fn a_clean_run_needs_no_note() {
    assert_notes(&[], |_| ());
}

#[test]
fn a_volatile_cache_without_flushes_is_said_and_the_mount_option_is_named() {
    for flag in ["barrier=0", "barrier=none", "nobarrier", "volatile", "fsync_mode=nobarrier"] {
        let notes = assert_notes(&[NoteId::FlushesMissing], |run| {
            run.devices[0].write_cache = "write back".to_owned();
            run.env.mount_flags.push(flag.to_owned());
        });
        assert!(notes[0].text.contains(&format!("mounted with {flag}:")));
    }
    let notes = assert_notes(&[NoteId::FlushesMissing], |run| {
        run.devices[0].write_cache = "write back".to_owned();
        run.env.mount_flags.push(ZFS_WITHOUT_FLUSHES.to_owned());
    });
    assert!(notes[0].text.contains("set it to 0"));
    assert!(MOUNT_FLAGS_WITHOUT_FLUSHES.contains(&ZFS_WITHOUT_FLUSHES), "the server judges by it too");
}

#[test]
fn flushes_are_missed_whether_or_not_writes_can_be_forced_and_not_where_nobody_counts() {
    assert_notes(&[NoteId::FlushesMissing], |run| {
        run.devices[0].write_cache = "write back".to_owned();
        run.devices[0].fua = Some(true);
    });
    assert_notes(&[], |run| {
        run.devices[0].write_cache = "write back".to_owned();
        run.workloads[0].flushes = None;
    });
}

#[test]
fn an_array_misses_flushes_only_where_each_of_its_disks_needs_them() {
    let array = |second: &'static str| {
        move |run: &mut Run| {
            run.devices[0].write_cache = "write back".to_owned();
            run.devices.push(run.devices[0].clone());
            run.devices[1].write_cache = second.to_owned();
        }
    };
    assert_notes(&[NoteId::FlushesMissing], array("write back"));
    assert_notes(&[], array("write through"));
}

#[test]
fn speeds_that_need_an_explanation_get_one() {
    assert_notes(&[NoteId::FasterThanMedia], |run| set_commits(run, 2_000, 3_000));
    let volatile = |usual_ns| {
        move |run: &mut Run| {
            run.devices[0].write_cache = "write back".to_owned();
            run.workloads[0].flushes = Some(run.workloads[0].operations);
            set_commits(run, usual_ns, usual_ns);
        }
    };
    assert_notes(&[NoteId::FastForAVolatileCache], volatile(89_000));
    assert_notes(&[], volatile(900_000));
}

/// Others write so much and compute so long during the last pass of the headline.
fn disturb(run: &mut Run, other_bytes: u64, other_cpu_ns: u64) {
    let pass = run.workloads[0].passes.last_mut().unwrap();
    let device = DeviceTraffic { bytes_written: pass.bytes + other_bytes, ..DeviceTraffic::default() };
    let device = Some(device);
    pass.interference =
        Some(Interference { device, other_cpu_ns: Some(other_cpu_ns), ..Interference::default() });
}

#[test]
fn others_are_said_where_they_disturbed_a_pass() {
    let (bytes, elapsed_ns) = (clean_run().workloads[0].passes[2].bytes, 4_000_000_000);
    let notes = assert_notes(&[NoteId::OtherIo], |run| disturb(run, bytes, 0));
    assert!(notes[0].text.starts_with("Other programs had 49.9 % of what the disk moved"), "{notes:?}");
    assert_notes(&[], |run| disturb(run, bytes / 20, 0));
    let all_cpus_ns = elapsed_ns * u64::from(clean_run().env.cpu_count);
    let notes = assert_notes(&[NoteId::OtherCpu], |run| disturb(run, 0, all_cpus_ns / 4));
    assert!(notes[0].text.starts_with("Other programs had 25 % of the CPUs"), "{notes:?}");
    assert_notes(&[], |run| disturb(run, 0, all_cpus_ns / 20));
    assert_notes(&[NoteId::Amplified], |run| {
        run.workloads[0].device_bytes = Some(run.workloads[0].bytes * 17);
    });
}

#[test]
fn a_mirror_is_not_amplified_by_its_copies() {
    let array = |filesystem: &'static str, layer: &'static str, bytes_per_byte: u64| {
        move |run: &mut Run| {
            run.stack = [filesystem, layer, "nvme"].map(str::to_owned).to_vec();
            run.devices[0].class = "nvme".to_owned();
            run.devices.push(run.devices[0].clone());
            run.workloads[0].device_bytes = Some(run.workloads[0].bytes * bytes_per_byte);
        }
    };
    assert_notes(&[], array("xfs", "md-raid1", 2));
    let notes = assert_notes(&[NoteId::Amplified], array("xfs", "md-raid1", 4));
    assert!(notes[0].text.starts_with("The 2 devices, which may hold a copy each, wrote 4.0"), "{notes:?}");
    let notes = assert_notes(&[NoteId::Amplified], array("xfs", "md-raid0", 2));
    assert!(notes[0].text.starts_with("The device wrote 2.0"), "{notes:?}");
    // A pool of its own, and an array that nobody knows here: either may be a mirror.
    assert_notes(&[NoteId::OthersUnseen], array("zfs", "partition", 2));
    assert_notes(&[NoteId::OthersUnseen], array("xfs", "md-raid10", 2));
}

#[test]
fn what_others_did_and_cannot_be_seen_is_said() {
    let unseen = |notes: &[Note]| notes[0].text.clone();
    let notes = assert_notes(&[NoteId::OthersUnseen], |run| run.stack[0] = "btrfs".to_owned());
    assert!(unseen(&notes).contains("programs used the disk during"), "{notes:?}");
    let notes = assert_notes(&[NoteId::OthersUnseen], |run| {
        for pass in &mut run.workloads[0].passes {
            pass.interference.as_mut().unwrap().other_cpu_ns = None;
        }
    });
    assert!(unseen(&notes).contains("programs used the CPUs during"), "{notes:?}");
    let notes = assert_notes(&[NoteId::OthersUnseen], |run| run.workloads[0].passes[0].interference = None);
    assert!(unseen(&notes).contains("programs used disk or CPUs during"), "{notes:?}");
}

#[test]
fn unsteadiness_and_stalls_are_said() {
    assert_notes(&[NoteId::Unsteady], |run| run.workloads[0].passes[1].operations = 30_000);
    // 10 % of the median.
    assert_notes(&[NoteId::Unsteady], |run| run.workloads[0].passes[1].operations = 44_010);
    assert_notes(&[], |run| run.workloads[0].passes[1].operations = 43_990);
    assert_notes(&[NoteId::LongTail], |run| set_commits(run, 89_000, 5_000_000));
}

#[test]
fn the_machine_itself_can_spoil_a_run() {
    assert_notes(&[NoteId::NearlyFull], |run| run.env.fs_free_bytes = run.env.fs_size_bytes / 20);
    assert_notes(&[NoteId::Slept], |run| run.clock.boottime_elapsed_ns += 60_000_000_000);
    for (source, cause) in [("hpet", "would be exact"), ("tsc", "an emulator or a sandbox")] {
        let notes = assert_notes(&[NoteId::SlowClock], |run| {
            run.clock.read_cost_ns = 250;
            source.clone_into(&mut run.clock.source);
        });
        assert!(notes[0].text.contains(cause), "{notes:?}");
    }
    assert_notes(&[NoteId::ReadFloorFromACache], |run| {
        let reads = run.workloads[3].histograms.read.as_mut().unwrap();
        (reads.counts, reads.min_ns, reads.max_ns) = (vec![(900, 1_000)], 1_000, 3_000);
    });
    // Other reads may come first, and say nothing of the floor.
    assert_notes(&[], |run| {
        let quick = crate::analysis::figures::examples::reads("read-4k-area-64k", 1_000);
        run.workloads.insert(1, quick);
    });
    assert_notes(&[NoteId::ReadFloorFromACache], |run| {
        run.workloads.truncate(3);
        run.workloads.push(crate::analysis::figures::examples::reads("randread-4k-qd1", 1_000));
    });
    assert_notes(&[NoteId::Incomplete], |run| run.suite.complete = false);
    assert_notes(&[NoteId::NoReadFloor], |run| run.workloads.truncate(3));
}

#[test]
fn a_drive_that_cannot_be_seen_is_said() {
    assert_notes(&[NoteId::ModelHidden], |run| run.devices[0].model.clear());
    let notes = assert_notes(&[NoteId::ModelHidden], |run| {
        run.devices.push(run.devices[0].clone());
        run.devices[1].model.clear();
    });
    assert!(notes[0].text.starts_with("The model of a drive is hidden"), "{notes:?}");
    assert_notes(&[NoteId::DeviceUnknown, NoteId::OthersUnseen], |run| run.devices.clear());
}

#[test]
fn no_note_passes_judgement() {
    let mut run = clean_run();
    run.suite.complete = false;
    run.devices[0].write_cache = "write back".to_owned();
    set_commits(&mut run, 2_000, 5_000_000);
    for note in notes_on_run(&run) {
        for word in ["lying", "lies", "verified", "fake", "cheat", "certified"] {
            assert!(!note.text.to_lowercase().contains(word), "{}", note.text);
        }
    }
}
