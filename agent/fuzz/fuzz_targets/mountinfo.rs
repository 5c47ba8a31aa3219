//! `/proc/self/mountinfo`: whoever may mount decides what is in it.
#![no_main]

use std::path::Path;

use fsyncmark::probe::storage::mounts;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let mounts = mounts::parse(text);
    for mount in &mounts {
        let _ = mount.option("upperdir");
        let found = mounts::mount_of(&mounts, &mount.point, mount.device);
        assert!(found.is_some(), "each mount point lies on a mount");
    }
    let path = Path::new("/var/lib/postgresql");
    if let Some(found) = mounts::mount_of(&mounts, path, None) {
        assert!(path.starts_with(&found.point));
    }
});
