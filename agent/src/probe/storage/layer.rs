//! A layer of what lies under a filesystem, and the layers below it.

/// The longest name of a layer.
const LAYER_LENGTH_MAX: usize = 32;

/// One layer and what it stands on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layer {
    /// What it is, in the wire's alphabet: `md-raid1`.
    pub kind: String,
    /// What a person should know about it.
    pub note: Option<String>,
    /// Whether something is wrong with it: an array without one of its members, or one that is being rebuilt.
    pub is_impaired: bool,
    /// Its index in `Storage::drives`, if it is one.
    pub drive: Option<usize>,
    /// The layers that it stands on.
    pub below: Vec<Layer>,
}

impl Layer {
    pub(super) fn new(kind: impl Into<String>, below: Vec<Self>) -> Self {
        Self { kind: kind.into(), note: None, is_impaired: false, drive: None, below }
    }

    /// Whether something is wrong with this layer or one below.
    pub fn has_impaired(&self) -> bool {
        self.is_impaired || self.below.iter().any(Self::has_impaired)
    }

    /// A layer that the agent cannot see.
    pub(super) fn unknown() -> Self {
        Self::new("unknown", Vec::new())
    }

    /// The kinds from here down. Of branches that stand on the same kinds, one is listed.
    pub(super) fn kinds(&self) -> Vec<&str> {
        let mut branches: Vec<Vec<&str>> = Vec::new();
        for layer in &self.below {
            let kinds = layer.kinds();
            if !branches.contains(&kinds) {
                branches.push(kinds);
            }
        }
        std::iter::once(self.kind.as_str()).chain(branches.into_iter().flatten()).collect()
    }
}

/// A layer's name in the wire's alphabet: `fuse.sshfs` is `fuse-sshfs`.
pub(super) fn layer_name(name: &str) -> String {
    let name: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' })
        .take(LAYER_LENGTH_MAX)
        .collect();
    if name.is_empty() { "unknown".to_owned() } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layer_names_use_the_wires_alphabet() {
        assert_eq!(layer_name("fuse.sshfs"), "fuse-sshfs");
        assert_eq!(layer_name(""), "unknown");
    }

    #[test]
    fn branches_that_are_alike_are_told_once() {
        let branch = |disk: &str| Layer::new("partition", vec![Layer::new(disk, Vec::new())]);
        let raid = Layer::new("md-raid1", vec![branch("nvme"), branch("nvme")]);
        assert_eq!(raid.kinds(), ["md-raid1", "partition", "nvme"]);
        let mixed = Layer::new("md-raid1", vec![branch("nvme"), branch("scsi")]);
        assert_eq!(mixed.kinds(), ["md-raid1", "partition", "nvme", "partition", "scsi"]);
    }
}
