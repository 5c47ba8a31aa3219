//! Lays out what `tests/trees` holds; `trees/README.md` explains the files.

use std::os::unix::fs::symlink;
use std::path::Path;

use fsyncmark::probe::tree::Tree;

/// Lays a tree out in a folder that lasts as long as the test.
pub fn lay_out(name: &str) -> (tempfile::TempDir, Tree) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/trees/{name}.tree"));
    let text = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    assert!(text.contains("SECRET"), "{name} has nothing that must never reach a result");
    let folder = tempfile::tempdir().unwrap();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let make_room = |path: &str| {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            path
        };
        if let Some((path, target)) = line.split_once(" -> ") {
            symlink(target, make_room(path)).unwrap();
        } else {
            let (path, content) = line.split_once(": ").unwrap_or((line.trim_end_matches(':'), ""));
            std::fs::write(make_room(path), unescape(content) + "\n").unwrap();
        }
    }
    let tree = Tree::at(folder.path());
    (folder, tree)
}

fn unescape(content: &str) -> String {
    content.replace("\\n", "\n").replace("\\t", "\t").replace("\\0", "\0")
}
