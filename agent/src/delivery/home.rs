//! Where the agent keeps its key, the results that are not delivered yet, and those that it had before.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use crate::error::{Error, ErrorKind, Result};

/// Overrides all folders.
pub const HOME_VARIABLE: &str = "FSYNCMARK_HOME";

/// Permissions of files there: only their owner may read them.
pub const PRIVATE_MODE: u32 = 0o600;

/// The agent's folders. They are created when something is first written to them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Home {
    /// Holds the key, and the random machine name where the system has none.
    pub settings: PathBuf,
    /// Holds signed results until a server has taken them.
    pub spool: PathBuf,
    /// Holds what was measured here before. It never leaves this machine.
    pub history: PathBuf,
}

/// The environment that decides where the folders are.
#[derive(Debug, Clone, Default)]
pub struct HomeVariables {
    /// `FSYNCMARK_HOME`.
    pub fsyncmark_home: Option<PathBuf>,
    /// `XDG_CONFIG_HOME`.
    pub xdg_config_home: Option<PathBuf>,
    /// `XDG_STATE_HOME`.
    pub xdg_state_home: Option<PathBuf>,
    /// `HOME`.
    pub home: Option<PathBuf>,
    /// Whether this is root.
    pub is_root: bool,
}

impl Home {
    /// The folders of this process.
    pub fn locate() -> Result<Self> {
        let variable =
            |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        Self::choose(&HomeVariables {
            fsyncmark_home: variable(HOME_VARIABLE),
            xdg_config_home: variable("XDG_CONFIG_HOME"),
            xdg_state_home: variable("XDG_STATE_HOME"),
            home: variable("HOME"),
            is_root: rustix::process::geteuid().is_root(),
        })
    }

    /// `FSYNCMARK_HOME`, else the system's folders for root, else the user's.
    pub fn choose(surroundings: &HomeVariables) -> Result<Self> {
        if let Some(home) = &surroundings.fsyncmark_home {
            return Ok(Self::below(home));
        }
        if surroundings.is_root {
            return Ok(Self {
                settings: "/etc/fsyncmark".into(),
                spool: "/var/lib/fsyncmark/spool".into(),
                history: "/var/lib/fsyncmark/history".into(),
            });
        }
        // The XDG specification: a relative path there is to be ignored.
        let folder = |stated: &Option<PathBuf>, usual: &str| {
            let stated = stated.clone().filter(|path| path.is_absolute());
            let base = stated.or_else(|| surroundings.home.as_ref().map(|home| home.join(usual)));
            base.map(|base| base.join("fsyncmark"))
        };
        let settings = folder(&surroundings.xdg_config_home, ".config").ok_or_else(|| {
            Error::new(ErrorKind::CannotCreate, "there is no folder for the signing key: HOME is not set")
                .advise(format!("Set {HOME_VARIABLE} to a folder of yours."))
        })?;
        let state = folder(&surroundings.xdg_state_home, ".local/state").unwrap_or_else(|| settings.clone());
        Ok(Self { spool: settings.join("spool"), history: state.join("history"), settings })
    }

    /// All in one folder.
    pub fn below(folder: &Path) -> Self {
        let [spool, history] = ["spool", "history"].map(|name| folder.join(name));
        Self { settings: folder.to_owned(), spool, history }
    }

    /// The file with the signing key.
    pub fn key_file(&self) -> PathBuf {
        self.settings.join("key")
    }

    /// The file with the random machine name.
    pub fn machine_file(&self) -> PathBuf {
        self.settings.join("machine")
    }
}

/// Makes a folder that only its owner may look into, and those above it. A new folder's name is durable
/// only when the folder above it is: each one is synced.
pub fn make_private_folder(path: &Path) -> Result<()> {
    make_durably(path).map_err(|error| {
        Error::from_io(ErrorKind::CannotCreate, &format!("create the folder {}", path.display()), &error)
            .advise(format!("Set {HOME_VARIABLE} to a folder that you can write to."))
    })
}

fn make_durably(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    if path.is_dir() {
        return Ok(());
    }
    let above = path.parent().filter(|above| !above.as_os_str().is_empty()).unwrap_or(Path::new("."));
    make_durably(above)?;
    match std::fs::DirBuilder::new().mode(0o700).create(path) {
        // Another run made it at the same time.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => {}
        made => made?,
    }
    File::open(above)?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_variable_comes_first_then_the_systems_folders_for_root() {
        let mut surroundings = HomeVariables {
            fsyncmark_home: Some("/tmp/f".into()),
            xdg_config_home: Some("/x".into()),
            home: Some("/home/u".into()),
            is_root: true,
            ..HomeVariables::default()
        };
        assert_eq!(Home::choose(&surroundings).unwrap().key_file(), Path::new("/tmp/f/key"));
        surroundings.fsyncmark_home = None;
        let root = Home::choose(&surroundings).unwrap();
        assert_eq!(
            (root.key_file(), root.spool, root.history),
            (
                "/etc/fsyncmark/key".into(),
                "/var/lib/fsyncmark/spool".into(),
                "/var/lib/fsyncmark/history".into()
            )
        );
    }

    #[test]
    fn a_user_has_one_folder_for_key_and_spool_and_one_for_the_history() {
        let mut surroundings = HomeVariables {
            xdg_config_home: Some("/x".into()),
            home: Some("/home/u".into()),
            ..HomeVariables::default()
        };
        let user = Home::choose(&surroundings).unwrap();
        assert_eq!(user.spool, Path::new("/x/fsyncmark/spool"));
        assert_eq!(user.history, Path::new("/home/u/.local/state/fsyncmark/history"));
        surroundings.xdg_state_home = Some("/s".into());
        let moved = Home::choose(&surroundings).unwrap().history;
        assert_eq!(moved, Path::new("/s/fsyncmark/history"));
        surroundings.xdg_config_home = Some("relative".into());
        assert_eq!(Home::choose(&surroundings).unwrap().settings, Path::new("/home/u/.config/fsyncmark"));
        surroundings.home = None;
        let error = Home::choose(&surroundings).unwrap_err();
        assert!(error.advice.unwrap().contains(HOME_VARIABLE));
    }

    #[test]
    fn folders_are_made_with_those_above_them_for_their_owner_alone() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a/b/c");
        make_private_folder(&path).unwrap();
        make_private_folder(&path).unwrap();
        for folder in [path.as_path(), path.parent().unwrap()] {
            assert_eq!(std::fs::metadata(folder).unwrap().permissions().mode() & 0o777, 0o700);
        }
        std::fs::write(path.join("file"), "").unwrap();
        assert_eq!(make_private_folder(&path.join("file")).unwrap_err().kind, ErrorKind::CannotCreate);
    }
}
