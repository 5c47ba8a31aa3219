//! Trees that nobody's kernel would show: the probes neither panic, nor hang, nor say what the wire does not
//! take.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use crate::layout::lay_out;
use fsyncmark::probe::machine::activity_counters::ActivityReader;
use fsyncmark::probe::machine::{self, control_groups, cpu_time};
use fsyncmark::probe::storage::{self, diskstats, mounts};
use fsyncmark::probe::tree::Tree;

/// A generator that is the same on every machine (xorshift64*, Marsaglia and Vigna).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() >> 33).unwrap() % bound
    }
}

/// Contents that break parsers.
fn junk(random: &mut Random) -> Vec<u8> {
    match random.below(10) {
        0 => Vec::new(),
        1 => vec![0; 1 + random.below(100)],
        2 => (0..random.below(300)).map(|_| random.next().to_le_bytes()[0]).collect(),
        3 => b"18446744073709551615\n".to_vec(),
        4 => b"-1 99999999999999999999999 0x [[]] [".to_vec(),
        5 => "\u{202e}\u{0}é\u{fffd}".repeat(50).into_bytes(),
        6 => vec![b'9'; 1 << 20],
        7 => b"8:0 8:0 8:0:\n:::\n / - \n  - \n".repeat(20),
        8 => b"/dev/../../../../etc/passwd".to_vec(),
        _ => b"cpu 18446744073709551615 18446744073709551615 1 1 1 1 1 18446744073709551615".to_vec(),
    }
}

fn all_paths(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let is_folder = entry.file_type().unwrap().is_dir();
        found.push(entry.path());
        if is_folder {
            all_paths(&entry.path(), found);
        }
    }
}

/// Breaks one place of a tree, which may be gone by now.
fn break_one(root: &Path, path: &Path, others: &[PathBuf], random: &mut Random) {
    let remove = || {
        let _ = fs::remove_file(path);
        let _ = fs::remove_dir_all(path);
    };
    match random.below(6) {
        0 => remove(),
        1 | 2 if path.is_file() => drop(fs::write(path, junk(random))),
        3 => {
            // Loops, ways out of the tree, and devices that never end.
            let targets = [path, root, Path::new("/"), Path::new("/dev/zero"), Path::new("..")];
            let target = targets.get(random.below(8)).copied().unwrap_or(&others[random.below(others.len())]);
            remove();
            let _ = symlink(target, path);
        }
        4 if path.is_file() => {
            remove();
            let _ = fs::create_dir(path);
        }
        5 => drop(symlink(&others[random.below(others.len())], path.join("slaves"))),
        _ => {}
    }
}

/// Whether the wire takes these layers.
fn assert_wire(storage: &storage::Storage) {
    let fits = |layer: &String| {
        (1..=32).contains(&layer.len())
            && layer.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
    };
    assert!((1..=16).contains(&storage.layers.len()) && storage.layers.iter().all(fits), "{storage:?}");
    assert!(storage.drives.len() <= 32);
    for drive in &storage.drives {
        for text in [&drive.vendor, &drive.model, &drive.firmware] {
            assert!(text.len() <= 64 && text.bytes().all(|b| (b' '..=b'~').contains(&b)), "{drive:?}");
        }
        assert!(drive.logical_block_bytes <= 1 << 20 && drive.physical_block_bytes <= 1 << 20);
        assert!(drive.queue_depth.is_none_or(|depth| depth <= 1_000_000));
        let fits = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
        let is_name = |name: &String| (1..=32).contains(&name.len()) && name.chars().all(fits);
        assert!(drive.driver.as_ref().is_none_or(is_name), "{drive:?}");
    }
}

fn probe_everything(tree: &Tree, sound: &[mounts::Mount]) {
    let mut all = mounts::parse(&tree.text("/proc/self/mountinfo").unwrap_or_default());
    all.extend_from_slice(sound);
    for mount in all.iter().take(50) {
        let storage = storage::probe(tree, mount);
        assert_wire(&storage);
        control_groups::probe(tree, &storage.devices);
        diskstats::read(tree, &storage.disks);
        let log = storage.intent_log.as_ref();
        assert!(log.is_none_or(|log| log.commits(tree).is_some()), "counts that are not there");
    }
    let machine = machine::probe(tree, None);
    assert!((1..=64).contains(&machine.kernel.len()) && machine.cpu_count >= 1);
    cpu_time::of_this_thread(tree);
    let reader = ActivityReader::new(tree.clone(), Vec::new(), None);
    let (first, second) = (reader.read(), reader.read());
    assert_eq!(second.since(&first).other_cpu_ns, None, "a recorded clock stands still");
}

#[test]
fn broken_trees_neither_panic_nor_hang() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/trees");
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .filter_map(|entry| Some(entry.unwrap().file_name().to_str()?.strip_suffix(".tree")?.to_owned()))
        .collect();
    names.sort();
    assert!(names.len() >= 25, "machines of at least 25 kinds");
    for (number, name) in names.iter().enumerate() {
        for round in 0..4 {
            let mut random = Random(0x9e37_79b9_7f4a_7c15 ^ (number as u64) << 8 ^ round);
            let (folder, tree) = lay_out(name);
            let sound = mounts::parse(&tree.text("/proc/self/mountinfo").unwrap_or_default());
            let mut paths = Vec::new();
            all_paths(folder.path(), &mut paths);
            for _ in 0..=paths.len() / 4 {
                let path = &paths[random.below(paths.len())];
                break_one(folder.path(), path, &paths, &mut random);
            }
            probe_everything(&tree, &sound);
        }
    }
}

#[test]
fn a_stack_that_leads_into_itself_ends() {
    let folder = tempfile::tempdir().unwrap();
    let block = folder.path().join("sys/devices/virtual/block");
    // Every device is made of all of them, itself included.
    for number in 0..8 {
        let device = block.join(format!("dm-{number}"));
        fs::create_dir_all(device.join("slaves")).unwrap();
        fs::write(device.join("dev"), format!("253:{number}\n")).unwrap();
        for other in 0..8 {
            symlink(format!("../../dm-{other}"), device.join(format!("slaves/dm-{other}"))).unwrap();
        }
    }
    fs::create_dir_all(folder.path().join("sys/dev/block")).unwrap();
    symlink("../../devices/virtual/block/dm-0", folder.path().join("sys/dev/block/253:0")).unwrap();
    let mounts = mounts::parse("20 1 253:0 / / rw - ext4 /dev/dm-0 rw\n");
    let storage = storage::probe(&Tree::at(folder.path()), &mounts[0]);
    assert_wire(&storage);
    assert!(storage.layers.contains(&"unknown".to_owned()));
}

#[test]
fn a_loop_file_on_its_own_filesystem_ends() {
    let folder = tempfile::tempdir().unwrap();
    let device = folder.path().join("sys/devices/virtual/block/loop0");
    fs::create_dir_all(device.join("loop")).unwrap();
    fs::write(device.join("dev"), "7:0\n").unwrap();
    fs::write(device.join("loop/backing_file"), "/image\n").unwrap();
    fs::write(folder.path().join("image"), "").unwrap();
    fs::create_dir_all(folder.path().join("sys/dev/block")).unwrap();
    symlink("../../devices/virtual/block/loop0", folder.path().join("sys/dev/block/7:0")).unwrap();
    fs::create_dir_all(folder.path().join("proc/self")).unwrap();
    let line = "20 1 7:0 / / rw - ext4 /dev/loop0 rw\n";
    fs::write(folder.path().join("proc/self/mountinfo"), line).unwrap();
    let storage = storage::probe(&Tree::at(folder.path()), &mounts::parse(line)[0]);
    assert_wire(&storage);
    assert_eq!(storage.layers[..3], ["ext4", "loop", "ext4"]);
}
