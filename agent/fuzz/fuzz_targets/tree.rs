//! Whole trees of `/proc` and `/sys` in the format of `tests/trees`: no kernel's text makes a probe panic,
//! hang or say what the wire does not take.
#![no_main]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Component, Path};

use fsyncmark::probe::tree::Tree;
use fsyncmark::probe::machine::{control_groups, cpu_time, self};
use fsyncmark::probe::storage::{self, diskstats, mounts};
use libfuzzer_sys::fuzz_target;

/// Files of one tree at most: more only take time.
const LINES_MAX: usize = 200;

fuzz_target!(|text: &str| {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for line in text.lines().filter(|line| !line.starts_with('#')).take(LINES_MAX) {
        let _ = lay_out(folder.path(), line);
    }
    let tree = Tree::at(folder.path());
    let mounts = mounts::parse(&tree.text("/proc/self/mountinfo").unwrap_or_default());
    for mount in mounts.iter().take(3) {
        let storage = storage::probe(&tree, mount);
        assert!(!storage.layers.is_empty());
        for layer in &storage.layers {
            assert!(layer.bytes().all(|byte| byte.is_ascii_graphic()), "{layer:?}");
        }
        let _ = control_groups::probe(&tree, &storage.devices);
        let _ = diskstats::read(&tree, &storage.disks);
    }
    let machine = machine::probe(&tree, None);
    assert!(machine.kernel.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' '));
    let _ = cpu_time::read(&tree);
});

/// One line: `PATH: CONTENT`, or `PATH -> TARGET` for a link. Nothing is written outside the folder.
fn lay_out(root: &Path, line: &str) -> std::io::Result<()> {
    let place = |path: &str| {
        let inside = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
        let place = root.join(path);
        // A link laid out before could lead out of the folder.
        let parent = place.parent().filter(|_| inside && !path.is_empty());
        let parent = parent.ok_or(std::io::ErrorKind::InvalidInput)?;
        fs::create_dir_all(parent)?;
        if !parent.canonicalize()?.starts_with(root.canonicalize()?) || place.is_symlink() {
            return Err(std::io::ErrorKind::InvalidInput.into());
        }
        Ok::<_, std::io::Error>(place)
    };
    if let Some((path, target)) = line.split_once(" -> ") {
        let is_relative = Path::new(target).is_relative();
        return if is_relative { symlink(target, place(path)?) } else { Ok(()) };
    }
    let (path, content) = line.split_once(": ").unwrap_or((line, ""));
    fs::write(place(path)?, content.replace("\\n", "\n").replace("\\t", "\t").replace("\\0", "\0"))
}
