//! How often ZFS has committed its intent log, which every sync of a file on it waits for.
//!
//! With the property `sync=disabled` a sync returns before it is counted (`zfs_fsync` and `zil_commit_flags`
//! of OpenZFS), so that the count stands still. Since OpenZFS 2.2 each dataset has a count of its own;
//! before, there is one for all of them.

use std::fmt;

use super::block_device::name_of;
use super::mounts::Mount;
use crate::probe::tree::{Tree, entries};

/// The folder of ZFS' counts; a pool has one below it.
const FOLDER: &str = "/proc/spl/kstat/zfs";
/// What is counted of a sync. A log that is suspended is not committed: the sync waits for the transaction
/// group.
const COUNTS: [&str; 2] = ["zil_commit_count", "zil_commit_suspend_count"];

/// The file in which the commits are counted.
#[derive(Clone, PartialEq, Eq)]
pub struct IntentLog {
    path: String,
}

/// Without the path, which names a pool.
impl fmt::Debug for IntentLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("IntentLog")
    }
}

impl IntentLog {
    /// Commits since the dataset was mounted, or the module loaded.
    pub fn commits(&self, tree: &Tree) -> Option<u64> {
        let text = tree.text(&self.path)?;
        let counts: Vec<Option<u64>> = COUNTS.iter().map(|name| number(&text, name)).collect();
        let commits = counts[0]?;
        Some(commits.saturating_add(counts[1].unwrap_or(0)))
    }
}

/// The counts of the dataset of a mount, else those of all datasets; `None` where the file does not lie on
/// ZFS.
pub(super) fn find(tree: &Tree, mount: &Mount, layers: &[String]) -> Option<IntentLog> {
    let is_dataset = mount.name == "zfs";
    if !is_dataset && !layers.iter().any(|layer| layer == "zfs" || layer == "zvol") {
        return None;
    }
    let own = is_dataset.then(|| of_dataset(tree, &mount.source)).flatten();
    let log = own.unwrap_or_else(|| IntentLog { path: format!("{FOLDER}/zil") });
    log.commits(tree).is_some().then_some(log)
}

/// The file of a dataset: `objset-0x36` below the folder of its pool.
fn of_dataset(tree: &Tree, dataset: &str) -> Option<IntentLog> {
    let pool = dataset.split('/').next().filter(|pool| !pool.is_empty() && !pool.starts_with('.'))?;
    let folder = tree.folder(&format!("{FOLDER}/{pool}"))?;
    entries(&folder).iter().find_map(|file| {
        let log = IntentLog { path: format!("{FOLDER}/{pool}/{}", name_of(file)) };
        let text = tree.text(&log.path)?;
        (value(&text, "dataset_name") == Some(dataset) && log.commits(tree).is_some()).then_some(log)
    })
}

fn number(text: &str, name: &str) -> Option<u64> {
    value(text, name)?.parse().ok()
}

/// The value of a line `name  type  value`.
fn value<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.lines().find_map(|line| {
        let (first, rest) = line.split_once(char::is_whitespace)?;
        let (_kind, value) = rest.trim_start().split_once(char::is_whitespace)?;
        (first == name).then(|| value.trim())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const DATASET: &str = "54 1 0x01 7 2160 5214787391 73405258558961\n\
        name                            type data\n\
        dataset_name                    7    tank/a b\n\
        writes                          4    28\n\
        zil_commit_count                4    17\n\
        zil_commit_writer_count         4    16\n";

    #[test]
    fn a_value_is_found_by_its_whole_name() {
        assert_eq!(value(DATASET, "dataset_name"), Some("tank/a b"));
        assert_eq!(number(DATASET, "zil_commit_count"), Some(17));
        assert_eq!(number(DATASET, "zil_commit"), None);
        assert_eq!(number("zil_commit_count 4 many", "zil_commit_count"), None);
    }

    #[test]
    fn what_waited_for_a_suspended_log_counts_too() {
        let folder = tempfile::tempdir().unwrap();
        let (tree, log) = (Tree::at(folder.path()), IntentLog { path: "/zil".to_owned() });
        assert_eq!(log.commits(&tree), None);
        let write = |text: &str| std::fs::write(folder.path().join("zil"), text).unwrap();
        write(&format!("{DATASET}zil_commit_suspend_count 4 3\n"));
        assert_eq!(log.commits(&tree), Some(20));
        write("zil_commit_suspend_count 4 3\n");
        assert_eq!(log.commits(&tree), None, "not a file of such counts");
    }
}
