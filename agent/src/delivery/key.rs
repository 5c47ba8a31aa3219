//! The signing key: made on first use, readable by its owner alone; and the machine's pseudonym.

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ed25519_dalek::{SigningKey, VerifyingKey};
use hmac::{Hmac, Mac};
use sha2::Sha256;

use crate::delivery::home::{Home, PRIVATE_MODE, make_private_folder};
use crate::error::{Error, ErrorKind, Result};
use crate::hex;
use crate::probe::tree::Tree;
use crate::sys::atomic_write;
use crate::text::printable;
use crate::wire::envelope::{self, Envelope, key_id};

/// An Ed25519 private key in PKCS#8 is these bytes and the 32 of the key (RFC 8410, section 7), so that
/// `openssl pkey -in key` can read the file too.
const PKCS8_PREFIX: [u8; 16] =
    [0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20];
const PEM_BEGIN: &str = "-----BEGIN PRIVATE KEY-----";
const PEM_END: &str = "-----END PRIVATE KEY-----";
/// The context of the machine's pseudonym: another program with another context gets another pseudonym.
const PSEUDONYM_CONTEXT: &[u8] = b"fsyncmark/v1";

/// The key of this user on this machine; makes it if there is none.
pub fn load_or_make(home: &Home) -> Result<SigningKey> {
    match load(home)? {
        Some(key) => Ok(key),
        None => make(home),
    }
}

/// The key of this user on this machine, if there is one.
pub fn load(home: &Home) -> Result<Option<SigningKey>> {
    load_file(&home.key_file())
}

/// The key in a file, if there is one.
pub(super) fn load_file(path: &Path) -> Result<Option<SigningKey>> {
    let read = || {
        let mut file = File::open(path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok((bytes, file.metadata()?))
    };
    let (bytes, metadata) = match read() {
        Ok(read) => read,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err::<_, io::Error>(error) => {
            return Err(Error::from_io(
                ErrorKind::CannotCreate,
                &format!("read the key {}", path.display()),
                &error,
            )
            .advise(format!("Set {} to a folder of yours.", crate::delivery::home::HOME_VARIABLE)));
        }
    };
    let me = rustix::process::geteuid().as_raw();
    refuse_shared(path, metadata.uid(), metadata.mode(), me)?;
    refuse_others_link(path, me)?;
    let key = std::str::from_utf8(&bytes).ok().and_then(from_pem);
    key.map(Some).ok_or_else(|| {
        Error::new(ErrorKind::Data, format!("{} does not hold an Ed25519 key", path.display()))
            .advise("Restore it from a backup, or delete it; the next run makes a new one.")
    })
}

/// Refuses a key that is not its user's alone: whoever owns or can read the file can sign as this machine.
fn refuse_shared(path: &Path, owner: u32, mode: u32, me: u32) -> Result<()> {
    let path = path.display();
    let refused = |what: String| Error::new(ErrorKind::NoPermission, what);
    if owner != me {
        return Err(refused(format!("the key {path} belongs to another user (uid {owner})")).advise(
            format!(
                "Set {} to a folder of yours, or run as that user.",
                crate::delivery::home::HOME_VARIABLE
            ),
        ));
    }
    if mode & 0o077 != 0 {
        return Err(refused(format!("others can read the key {path}")).advise(format!(
            "If nobody did: chmod 600 {path}. Otherwise delete it; the next run makes a new one."
        )));
    }
    Ok(())
}

/// Refuses a symbolic link that another user made: it would have this user, perhaps root, sign with a key
/// that was never chosen.
fn refuse_others_link(path: &Path, me: u32) -> Result<()> {
    let others = std::fs::symlink_metadata(path)
        .ok()
        .filter(|link| link.is_symlink() && link.uid() != me && link.uid() != 0);
    others.map_or(Ok(()), |link| {
        let what = format!("the key {} is a link of another user (uid {})", path.display(), link.uid());
        Err(Error::new(ErrorKind::NoPermission, what)
            .advise(format!("Set {} to a folder of yours.", crate::delivery::home::HOME_VARIABLE)))
    })
}

fn make(home: &Home) -> Result<SigningKey> {
    load_or_make_file(&home.key_file())
}

/// The key in a file; makes it if there is none. Of those who make it at the same time, one does.
pub(super) fn load_or_make_file(path: &Path) -> Result<SigningKey> {
    let key = SigningKey::from_bytes(&crate::sys::random());
    if create_new(path, &key)? {
        return Ok(key);
    }
    load_file(path)?.ok_or_else(|| {
        Error::new(ErrorKind::CannotCreate, format!("the key {} comes and goes", path.display()))
    })
}

/// Writes a key to a new file; `false` when there is one already.
pub(super) fn create_new(path: &Path, key: &SigningKey) -> Result<bool> {
    create_new_private(path, to_pem(key).as_bytes())
}

/// Writes a new file with mode 0600, durably and atomically; `false` when there is one already.
fn create_new_private(path: &Path, bytes: &[u8]) -> Result<bool> {
    make_private_folder(path.parent().unwrap_or(Path::new("/")))?;
    atomic_write::create_new(path, bytes, PRIVATE_MODE).map_err(|error| {
        Error::from_io(ErrorKind::CannotCreate, &format!("write {}", path.display()), &error).advise(format!(
            "Set {} to a folder that you can write to.",
            crate::delivery::home::HOME_VARIABLE
        ))
    })
}

fn to_pem(key: &SigningKey) -> String {
    let mut bytes = PKCS8_PREFIX.to_vec();
    bytes.extend_from_slice(key.as_bytes());
    format!("{PEM_BEGIN}\n{}\n{PEM_END}\n", STANDARD.encode(bytes))
}

fn from_pem(text: &str) -> Option<SigningKey> {
    let body: String =
        text.trim().strip_prefix(PEM_BEGIN)?.strip_suffix(PEM_END)?.split_ascii_whitespace().collect();
    let bytes = STANDARD.decode(body).ok()?;
    let seed: [u8; 32] = bytes.strip_prefix(&PKCS8_PREFIX)?.try_into().ok()?;
    Some(SigningKey::from_bytes(&seed))
}

/// The machine's pseudonym: the first 16 bytes of HMAC-SHA256 with the machine-id as the key. Nobody who
/// sees it learns the machine-id, and no other program's pseudonym matches it. Where the system has no
/// machine-id, a random one is made and kept beside the signing key.
pub fn machine_pseudonym(tree: &Tree, home: &Home) -> Result<String> {
    if let Some(known) = known_machine_pseudonym(tree, home) {
        return Ok(known);
    }
    let id: [u8; 16] = crate::sys::random();
    let path = home.machine_file();
    create_new_private(&path, format!("{}\n", hex::encode(&id)).as_bytes())?;
    known_machine_pseudonym(tree, home).ok_or_else(|| {
        Error::new(ErrorKind::Data, format!("{} does not hold 32 hexadecimal digits", path.display()))
            .advise("Delete it; the next run makes a new one.")
    })
}

/// The machine's pseudonym; `None` where the random machine name would have to be created first.
pub fn known_machine_pseudonym(tree: &Tree, home: &Home) -> Option<String> {
    let digits = |text: String| hex::decode::<16>(text.trim());
    let system = tree.text("/etc/machine-id").and_then(digits);
    let id = system.or_else(|| std::fs::read_to_string(home.machine_file()).ok().and_then(digits))?;
    let mut hmac = Hmac::<Sha256>::new_from_slice(&id).expect("HMAC takes a key of any length");
    hmac.update(PSEUDONYM_CONTEXT);
    Some(hex::encode(&hmac.finalize().into_bytes()[..16]))
}

/// The key that must have signed an envelope, and whose it is: the stated one, else this machine's own if its
/// id is the signature's, else the one in the file if it has that id.
pub fn find_signing_key(stated: Option<&str>, envelope: &Envelope) -> Result<(VerifyingKey, &'static str)> {
    if let Some(text) = stated {
        return Ok((envelope::public_key(text)?, "the key that you named"));
    }
    let own = Home::locate().ok().and_then(|home| load(&home).ok().flatten()).map(|key| key.verifying_key());
    for signature in &envelope.signatures {
        if let Some(own) = own.filter(|own| key_id(own) == signature.keyid) {
            return Ok((own, "this machine's key"));
        }
        if let Some(text) = &signature.public_key {
            let public_key = envelope::public_key(text)?;
            if key_id(&public_key) == signature.keyid {
                return Ok((
                    public_key,
                    "the key in the file; compare its id with the one on the run's page",
                ));
            }
        }
    }
    let keyid = printable(&envelope.signatures[0].keyid, 64);
    Err(Error::new(ErrorKind::NoInput, format!("the file does not carry the public key {keyid}"))
        .advise("Copy it from the run's page: fsyncmark verify FILE --key BASE64"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn home(dir: &tempfile::TempDir) -> Home {
        Home::below(&dir.path().join("settings"))
    }

    #[test]
    fn a_key_is_made_once_and_only_its_owner_can_read_it() {
        let dir = tempfile::tempdir().unwrap();
        let home = home(&dir);
        let first = load_or_make(&home).unwrap();
        assert_eq!(load_or_make(&home).unwrap().as_bytes(), first.as_bytes());
        assert_eq!(std::fs::metadata(home.key_file()).unwrap().mode() & 0o777, 0o600);
        assert_eq!(std::fs::read_dir(&home.settings).unwrap().count(), 1, "no temporary file is left");
    }

    #[test]
    fn a_key_that_others_can_read_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let home = home(&dir);
        load_or_make(&home).unwrap();
        std::fs::set_permissions(home.key_file(), std::fs::Permissions::from_mode(0o640)).unwrap();
        assert_eq!(load_or_make(&home).unwrap_err().kind, ErrorKind::NoPermission);
    }

    #[test]
    fn a_key_of_another_user_is_refused() {
        let refuse = |owner, mode| refuse_shared(Path::new("/key"), owner, mode, 1000);
        assert_eq!(refuse(1000, 0o100_600), Ok(()));
        for (owner, mode) in [(1001, 0o100_600), (0, 0o100_600), (1000, 0o100_604)] {
            assert_eq!(refuse(owner, mode).unwrap_err().kind, ErrorKind::NoPermission, "{owner} {mode:o}");
        }
    }

    #[test]
    fn root_is_no_exception() {
        let refuse = |owner| refuse_shared(Path::new("/key"), owner, 0o100_600, 0);
        assert_eq!(refuse(0), Ok(()));
        assert_eq!(refuse(1000).unwrap_err().kind, ErrorKind::NoPermission);
    }

    #[test]
    fn a_link_of_another_user_leads_to_no_key() {
        let dir = tempfile::tempdir().unwrap();
        let (home, me) = (home(&dir), rustix::process::geteuid().as_raw());
        load_or_make(&home).unwrap();
        let link = dir.path().join("link");
        std::os::unix::fs::symlink(home.key_file(), &link).unwrap();
        assert_eq!(refuse_others_link(&link, me), Ok(()));
        assert_eq!(refuse_others_link(&home.key_file(), me + 1), Ok(()), "it is no link");
        if me == 0 {
            // Only root can make one for somebody else.
            std::os::unix::fs::lchown(&link, Some(1000), None).unwrap();
            assert_eq!(refuse_others_link(&link, me).unwrap_err().kind, ErrorKind::NoPermission);
            assert_eq!(load_file(&link).unwrap_err().kind, ErrorKind::NoPermission);
        }
    }

    #[test]
    fn a_broken_key_is_not_replaced_silently() {
        let dir = tempfile::tempdir().unwrap();
        let home = home(&dir);
        for broken in [&b"hello"[..], b"", b"\xff\x00\xfe"] {
            create_new_private(&home.key_file(), broken).unwrap();
            let error = load_or_make(&home).unwrap_err();
            assert_eq!(error.kind, ErrorKind::Data, "{error}");
            assert!(error.advice.unwrap().starts_with("Restore it from a backup"));
            assert_eq!(std::fs::read(home.key_file()).unwrap(), broken);
            std::fs::remove_file(home.key_file()).unwrap();
        }
    }

    #[test]
    fn the_key_file_is_pkcs8() {
        let key = SigningKey::from_bytes(&[7; 32]);
        assert_eq!(from_pem(&to_pem(&key)).unwrap().as_bytes(), &[7; 32]);
        // `openssl genpkey -algorithm ed25519` writes the same prefix.
        assert!(to_pem(&key).contains("MC4CAQAwBQYDK2VwBCIEI"));
    }

    #[test]
    fn the_pseudonym_is_keyed_by_the_machine_id_and_is_not_it() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("etc")).unwrap();
        std::fs::write(dir.path().join("etc/machine-id"), "000102030405060708090a0b0c0d0e0f\n").unwrap();
        let pseudonym = machine_pseudonym(&Tree::at(dir.path()), &home(&dir)).unwrap();
        // python3: hmac.new(bytes(range(16)), b"fsyncmark/v1", "sha256").hexdigest()[:32]
        assert_eq!(pseudonym, "b7ccad8f4e929147d48cb77ceaab44e0");
    }

    #[test]
    fn without_a_machine_id_a_random_one_is_kept() {
        let dir = tempfile::tempdir().unwrap();
        let tree = Tree::at(dir.path());
        let first = machine_pseudonym(&tree, &home(&dir)).unwrap();
        assert_eq!(machine_pseudonym(&tree, &home(&dir)).unwrap(), first);
    }
}
