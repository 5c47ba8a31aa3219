//! Both sides of each check.

use std::path::Path;

use super::*;
use crate::wire::payload::Limits;

fn severity_of(check: &Check) -> &'static str {
    match check.severity {
        Severity::Good => "good",
        Severity::Note => "note",
        Severity::Stop(_) => "stop",
    }
}

#[test]
fn what_stops_a_run_decides_the_exit_code() {
    let stop = Check { severity: Severity::Stop(ErrorKind::NoPermission), ..Check::good("Folder", "locked") };
    let checks = [Check::note("Clock", "slow", "advice"), stop];
    assert_eq!(verdict(&checks).unwrap_err().kind, ErrorKind::NoPermission);
    assert_eq!(verdict(&checks[..1]), Ok(()), "a note is none");
}

#[test]
fn direct_io_stops_doctor_where_it_would_stop_a_run_and_is_a_note_where_a_run_does_without() {
    assert_eq!(severity_of(&direct_io(Ok(true))), "good");
    let without = direct_io(Ok(false));
    assert_eq!((severity_of(&without), without.what.contains("are left out")), ("note", true));
    let broken = direct_io(Err(Error::new(ErrorKind::Io, "cannot prepare the test file")));
    assert_eq!(verdict(&[broken]).unwrap_err().kind, ErrorKind::Io);
}

#[test]
fn each_reason_against_io_uring_has_its_advice() {
    assert_eq!(severity_of(&io_uring_check(Ok(()), "0")), "good");
    for (errno, disabled, advice) in [
        (Errno::PERM, "2", "sysctl"),
        (Errno::PERM, "1", "sysctl"),
        (Errno::PERM, "0", "seccomp"),
        // Kernels before 6.6 have no such setting.
        (Errno::PERM, "", "seccomp"),
        (Errno::NOSYS, "", "older"),
        (Errno::NOSYS, "0", "older"),
    ] {
        let check = io_uring_check(Err(errno.into()), disabled);
        assert!(check.advice.as_ref().unwrap().contains(advice), "{check:?}");
        assert!(check.what.contains("slo-* workloads are left out"), "{check:?}");
    }
    assert_eq!(io_uring_check(Err(Errno::NOMEM.into()), "0").advice, None, "nobody knows");
}

#[test]
fn what_opens_without_a_name_is_not_always_used_without_one() {
    assert_eq!(severity_of(&nameless("ext4", None)), "good");
    for (filesystem, refusal, what) in [
        ("btrfs", None, "not used on btrfs: test files have a name"),
        ("zfs", None, "not used on zfs: test files have a name"),
        ("xfs", Some(io::Error::from(Errno::OPNOTSUPP)), "not here (Operation not supported"),
    ] {
        let check = nameless(filesystem, refusal.as_ref());
        assert_eq!(severity_of(&check), "note");
        assert!(check.what.starts_with(what), "{check:?}");
    }
}

#[test]
fn thresholds_are_where_they_say() {
    assert_eq!(severity_of(&clock_reading("tsc", clock::READ_COST_NS_MAX)), "good");
    assert_eq!(severity_of(&clock_reading("hpet", clock::READ_COST_NS_MAX + 1)), "note");
    assert_eq!(severity_of(&open_files(None)), "good");
    assert_eq!(severity_of(&open_files(Some(64))), "note");
    assert_eq!(governor(None), None);
    assert_eq!(severity_of(&governor(Some("powersave")).unwrap()), "note");
}

#[test]
fn a_throttled_disk_and_a_broken_array_are_noted() {
    let mut facts = probe::gather(Path::new("/var/tmp")).unwrap();
    facts.limits = Limits { write_ops_per_s: Some(500), ..Default::default() };
    assert!(groups(&facts).what.contains("500 writes/s"));
    assert_eq!(severity_of(&groups(&facts)), "note");
    facts.limits = Limits { cpu_milli: Some(500), ..Default::default() };
    assert_eq!(severity_of(&groups(&facts)), "note");
    facts.limits = Limits::default();
    assert_eq!(severity_of(&groups(&facts)), "good");
    facts.storage.tree.is_impaired = true;
    assert!(stack(&facts).advice.unwrap().contains("mdstat"));
}

#[test]
fn the_room_is_what_a_run_asks_for_on_that_filesystem() {
    let mut facts = probe::gather(Path::new("/var/tmp")).unwrap();
    facts.filesystem.in_memory = false;
    (facts.filesystem.size_bytes, facts.filesystem.free_bytes) = (200 << 30, 100 << 30);
    for (copies_on_write, room) in [(false, "1.56 GiB"), (true, "5.50 GiB")] {
        facts.filesystem.copies_on_write = copies_on_write;
        let plan = plan::whole_suite(Path::new("/var/tmp"), &SUITES[0], &facts).unwrap();
        let needed = plan.room_needed(&facts.filesystem);
        let check = folder(Ok(plan), &facts);
        assert!(check.what.ends_with(&format!("quick needs {room} of it")), "{check:?}");
        facts.filesystem.free_bytes = needed;
        assert!(plan::whole_suite(Path::new("/var/tmp"), &SUITES[0], &facts).is_ok());
        facts.filesystem.free_bytes = needed - 1;
        assert!(plan::whole_suite(Path::new("/var/tmp"), &SUITES[0], &facts).is_err());
        facts.filesystem.free_bytes = 100 << 30;
    }
}

#[test]
fn advice_stands_below_what_it_is_about() {
    let text = lines(&Check::note("Clock", "hpet at 800 ns a reading", "Another."), 80);
    assert_eq!(text, "note  Clock       hpet at 800 ns a reading\n                  Another.");
}

#[test]
fn no_line_is_wider_than_the_terminal() {
    let text = lines(&Check::note("Clock", "hpet at 800 ns a reading", "One that is quicker."), 36);
    let expected = ["note  Clock       hpet at 800 ns a", "reading", "One that is", "quicker."];
    assert_eq!(text.lines().map(str::trim_start).collect::<Vec<_>>(), expected);
    assert!(text.lines().skip(1).all(|line| line.starts_with(&" ".repeat(18))), "{text}");
}
