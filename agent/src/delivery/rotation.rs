//! Puts a new key in the place of the old one. A crash between any two steps loses no key, and the next call
//! goes on where it stopped: until the last step the old key is in force and the new one waits beside it.
//!
//! 1. `begin`: the new key is durable in `key.next`.
//! 2. The server lets it stand in for the old one; asked again, it says the same.
//! 3. `finish`: the old key is durable in `key.old-…`, then `key.next` becomes `key`.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use ed25519_dalek::SigningKey;

use super::home::Home;
use super::key;
use crate::error::{Error, ErrorKind, Result};
use crate::sys::atomic_write::folder_of;
use crate::wire::envelope::key_id;

/// Digits of its id in the name of an old key's file.
const OLD_ID_DIGITS: usize = 12;

/// A rotation under way: the key in force and the one that shall follow it.
#[derive(Debug)]
pub struct Rotation {
    /// The key in force.
    pub old: SigningKey,
    /// The key that shall follow it.
    pub new: SigningKey,
    /// Whether an earlier call began it.
    pub is_resumed: bool,
    key_file: PathBuf,
}

impl Rotation {
    /// Begins a rotation of the key in force, or takes up the one that was interrupted.
    pub fn begin(home: &Home) -> Result<Self> {
        let key_file = home.key_file();
        let old = key::load_file(&key_file)?.ok_or_else(|| {
            Error::new(ErrorKind::NoInput, format!("there is no key in {}", key_file.display()))
                .advise("There is nothing to replace: the first run makes a key.")
        })?;
        let next = next_file(&key_file);
        let waiting = key::load_file(&next)?;
        let is_resumed = waiting.is_some();
        let new = waiting.map_or_else(|| key::load_or_make_file(&next), Ok)?;
        Ok(Self { old, new, is_resumed, key_file })
    }

    /// Whether a rotation was begun and not finished.
    pub fn is_under_way(home: &Home) -> bool {
        next_file(&home.key_file()).exists()
    }

    /// Puts the new key in force; returns where the old one is kept.
    pub fn finish(&self) -> Result<PathBuf> {
        let kept = self.keep_old()?;
        let placed = std::fs::rename(next_file(&self.key_file), &self.key_file)
            .and_then(|()| File::open(folder_of(&self.key_file))?.sync_all());
        match placed {
            // Another call did the same at the same time.
            Err(error) if error.kind() == io::ErrorKind::NotFound && self.is_in_force()? => Ok(kept),
            placed => placed.map(|()| kept).map_err(|error| {
                let doing = format!("put the new key into {}", self.key_file.display());
                Error::from_io(ErrorKind::CannotCreate, &doing, &error)
                    .advise("Call fsyncmark key rotate again: it goes on here.")
            }),
        }
    }

    fn is_in_force(&self) -> Result<bool> {
        Ok(key::load_file(&self.key_file)?.is_some_and(|key| key.as_bytes() == self.new.as_bytes()))
    }

    fn keep_old(&self) -> Result<PathBuf> {
        let id = key_id(&self.old.verifying_key());
        let path = self.key_file.with_extension(format!("old-{}", &id[..OLD_ID_DIGITS]));
        if !key::create_new(&path, &self.old)?
            && key::load_file(&path)?.is_none_or(|kept| kept.as_bytes() != self.old.as_bytes())
        {
            let what = format!("{} is in the way of the old key", path.display());
            return Err(Error::new(ErrorKind::CannotCreate, what)
                .advise("Move it away, and call fsyncmark key rotate again."));
        }
        Ok(path)
    }
}

fn next_file(key_file: &Path) -> PathBuf {
    key_file.with_extension("next")
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn home(dir: &tempfile::TempDir) -> Home {
        Home::below(&dir.path().join("settings"))
    }

    fn modes(home: &Home) -> Vec<(String, u32)> {
        let mut found: Vec<_> = std::fs::read_dir(&home.settings)
            .unwrap()
            .map(|entry| {
                let entry = entry.unwrap();
                let mode = entry.metadata().unwrap().permissions().mode() & 0o777;
                (entry.file_name().into_string().unwrap(), mode)
            })
            .collect();
        found.sort();
        found
    }

    #[test]
    fn the_old_key_is_kept_beside_the_new_one() {
        let dir = tempfile::tempdir().unwrap();
        let home = home(&dir);
        assert_eq!(Rotation::begin(&home).unwrap_err().kind, ErrorKind::NoInput);
        let first = key::load_or_make(&home).unwrap();
        let rotation = Rotation::begin(&home).unwrap();
        assert!(!rotation.is_resumed && Rotation::is_under_way(&home));
        assert_eq!(key::load_or_make(&home).unwrap().as_bytes(), first.as_bytes(), "still in force");
        let kept = rotation.finish().unwrap();
        assert!(!Rotation::is_under_way(&home));
        assert_eq!(key::load_or_make(&home).unwrap().as_bytes(), rotation.new.as_bytes());
        assert_eq!(key::load_file(&kept).unwrap().unwrap().as_bytes(), first.as_bytes());
        let name = kept.file_name().unwrap().to_str().unwrap().to_owned();
        assert_eq!(modes(&home), [("key".to_owned(), 0o600), (name, 0o600)]);
    }

    #[test]
    fn what_a_crash_interrupts_is_taken_up_after_any_step() {
        let dir = tempfile::tempdir().unwrap();
        let home = home(&dir);
        let old = key::load_or_make(&home).unwrap();
        // After the first step.
        let new = Rotation::begin(&home).unwrap().new;
        let again = Rotation::begin(&home).unwrap();
        assert!(again.is_resumed);
        assert_eq!((again.old.as_bytes(), again.new.as_bytes()), (old.as_bytes(), new.as_bytes()));
        // After the old key was kept, and before the new one is in force.
        again.keep_old().unwrap();
        let last = Rotation::begin(&home).unwrap();
        assert_eq!(last.new.as_bytes(), new.as_bytes());
        // Two at once: both finish, and the key is in force once.
        last.finish().unwrap();
        again.finish().unwrap();
        assert_eq!(key::load_or_make(&home).unwrap().as_bytes(), new.as_bytes());
        assert_eq!(modes(&home).len(), 2);
    }

    #[test]
    fn what_lies_in_the_way_of_the_old_key_loses_neither() {
        let dir = tempfile::tempdir().unwrap();
        let home = home(&dir);
        let old = key::load_or_make(&home).unwrap();
        let rotation = Rotation::begin(&home).unwrap();
        let id = key_id(&old.verifying_key());
        let other = SigningKey::from_bytes(&[9; 32]);
        key::create_new(&home.settings.join(format!("key.old-{}", &id[..OLD_ID_DIGITS])), &other).unwrap();
        assert!(rotation.finish().unwrap_err().what.contains("in the way"));
        assert_eq!(key::load_or_make(&home).unwrap().as_bytes(), old.as_bytes());
        assert!(Rotation::is_under_way(&home));
    }
}
