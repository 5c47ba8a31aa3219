//! Commands, and the way back from each to its row.

use super::*;
use crate::plan::fio::shape::Shape;
use crate::plan::fio::{job, nearest};

fn translated(id: &str) -> Translation {
    translate(WorkloadDefinition::with_id(id).unwrap(), Path::new("/data"))
}

fn line(id: &str) -> String {
    match translated(id) {
        Translation::Same { arguments, .. } => arguments.join(" "),
        Translation::Impossible { .. } => panic!("{id} is impossible"),
    }
}

#[test]
fn well_known_jobs_are_those_of_their_authors() {
    assert_eq!(
        line("commit-8k"),
        "--name=commit-8k --ioengine=psync --filename=/data/fsyncmark-fio.64m --size=64m --rw=write --bs=8k \
         --direct=0 --fdatasync=1 --overwrite=1 --fallocate=none --io_size=512m --runtime=4s --ramp_time=500ms"
    );
    assert!(
        line("fallocated-2300-fdatasync")
            .contains("--size=22m --rw=write --bs=2300 --direct=0 --fdatasync=1")
    );
    assert!(
        line("mix-64k").contains("--iodepth=64") && line("mix-64k").contains("--rw=randrw --rwmixread=50")
    );
    assert!(
        line("randread-4k-qd32").contains("--ioengine=io_uring --fixedbufs=1 --registerfiles=1 --iodepth=32")
    );
}

#[test]
fn the_state_of_the_file_is_never_left_to_fio() {
    assert!(line("commit-8k").contains("--overwrite=1 --fallocate=none"));
    assert!(line("append-8k-fdatasync").contains("--fallocate=none --create_on_open=1 --unlink=1"));
    assert!(line("fallocated-8k-fsync").contains("--fallocate=native --unlink=1"));
    assert!(!line("fallocated-8k-fsync").contains("--ramp_time"), "it would use up the fresh part");
}

#[test]
fn writers_share_one_file_in_parts_or_have_their_own() {
    assert!(line("commit-8k-writers-4").contains("--size=16m --offset_increment=16m"));
    assert!(line("commit-8k-writers-4").contains("--numjobs=4 --thread --group_reporting"));
    let own = line("commit-8k-files-4");
    assert!(
        own.contains("--directory=/data --filename_format=fsyncmark-fio.$jobname.$jobnum --size=16m"),
        "{own}"
    );
    assert!(!own.contains("offset_increment") && !line("direct-16k-fsync-x8").contains("offset_increment"));
}

#[test]
fn what_fio_cannot_do_says_why() {
    for id in ["group-commit-8k-4", "doublewrite-16k-batch", "hiccup", "empty-flush"] {
        assert!(matches!(translated(id), Translation::Impossible { nearest: None, .. }), "{id}");
    }
    let Translation::Impossible { nearest: Some(nearest), .. } = translated("drain-64m") else { panic!() };
    assert!(nearest.contains(&"--fdatasync=64".to_owned()) && nearest.contains(&"--io_size=192m".to_owned()));
    let Translation::Impossible { nearest: Some(nearest), .. } = translated("commit-8k-rwf-dsync") else {
        panic!()
    };
    assert!(nearest.contains(&"--sync=dsync".to_owned()));
}

#[test]
fn every_row_is_a_command_or_says_why_not_and_every_command_leads_back_to_its_row() {
    let mut commands = 0;
    for workload in WORKLOADS {
        match translate(workload, Path::new("/data")) {
            Translation::Impossible { why, .. } => assert!(why.len() > 20, "{}", workload.id),
            Translation::Same { arguments, .. } => {
                commands += 1;
                let command = job::from_arguments(&arguments).unwrap();
                assert_eq!(command.jobs.len(), 1, "{}", workload.id);
                let (shape, unknown) = Shape::of_job(&command.jobs[0]);
                assert_eq!(unknown, [""; 0], "{}", workload.id);
                let same = nearest::find(&shape);
                assert_eq!(same.workload.id, workload.id);
                assert_eq!(same.differences, [""; 0], "{}", workload.id);
            }
        }
    }
    assert!(commands > 60, "{commands}");
}

#[test]
fn a_script_is_one_that_a_shell_can_run() {
    let all: Vec<&WorkloadDefinition> = WORKLOADS.iter().collect();
    let script = script(&all, Path::new("/a b/it's:here"));
    for workload in WORKLOADS {
        assert!(script.contains(&format!("\n# {}: ", workload.id)), "{}", workload.id);
    }
    assert!(script.lines().all(|line| line.is_empty()
        || line.starts_with("# ")
        || line.starts_with("fio --name=")
        || line.starts_with("#   ")));
    assert!(script.contains(r"'--filename=/a b/it'\''s\:here/fsyncmark-fio.64m'"), "{script}");
    let shell = std::process::Command::new("sh").args(["-n", "-c", &script]).status().unwrap();
    assert!(shell.success(), "sh -n");
}

#[test]
fn sizes_and_times_are_those_of_fio() {
    assert_eq!([0, 2_300, 8 << 10, 22 << 20, 4 << 30].map(size), ["0", "2300", "8k", "22m", "4g"]);
    assert_eq!([500_000_000, 4_000_000_000].map(duration), ["500ms", "4s"]);
}
