//! On a terminal of sixty columns, half of a screen, everything that the program prints is still there.

use std::fs::File;
use std::io::Read as _;
use std::process::Stdio;

use crate::support::Place;
use fsyncmark::delivery::history::History;
use fsyncmark::wire::envelope::Envelope;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

/// The narrow terminal, and the one that everything is drawn for.
const NARROW: u16 = 60;
const USUAL: u16 = 80;

/// What the program prints on a terminal of so many columns.
fn shown(place: &Place, args: &[&str], columns: u16) -> String {
    let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
    grantpt(&ours).unwrap();
    unlockpt(&ours).unwrap();
    let name = ptsname(&ours, Vec::new()).unwrap();
    let theirs = File::options().read(true).write(true).open(name.to_str().unwrap()).unwrap();
    tcsetwinsize(&theirs, Winsize { ws_row: 50, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 }).unwrap();
    let mut command = place.command(args);
    command.env("TERM", "xterm-256color").env("NO_COLOR", "1").env("LC_ALL", "C.UTF-8").env("COLUMNS", "");
    let mut child =
        command.stdout(Stdio::from(theirs.try_clone().unwrap())).stderr(Stdio::from(theirs)).spawn().unwrap();
    drop(command);
    let mut text = Vec::new();
    // The kernel answers EIO when nobody has the other end open any more.
    let _ = File::from(ours).read_to_end(&mut text);
    child.wait().unwrap();
    String::from_utf8(text).unwrap().replace('\r', "")
}

/// Its words, each once, without the picture's labels of time, of which a narrow one has every second.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = text
        .split_whitespace()
        .filter(|word| !word.contains('━') && !["1µs", "100µs", "10ms"].contains(word))
        .map(|word| word.trim_matches('│').to_owned())
        .collect();
    words.sort_unstable();
    words.dedup();
    words
}

/// The lines that are too wide, but for those whose one word does not fit, such as an address or a digest,
/// and for members of JSON.
fn too_wide(text: &str) -> Vec<&str> {
    let room = usize::from(NARROW);
    let is_whole = |line: &str| {
        line.trim_start().starts_with('"')
            || line.split_whitespace().any(|word| word.chars().count() > room / 2)
    };
    text.lines().filter(|line| line.chars().count() > room && !is_whole(line)).collect()
}

#[test]
fn sixty_columns_cut_nothing() {
    let place = Place::new();
    let (_, signed) = place.spooled(false);
    let envelope = Envelope::parse(&std::fs::read(&signed).unwrap()).unwrap();
    History::in_home(&place.settings()).keep("0190a5d0", &place.disk, &envelope).unwrap();
    let (signed, disk) = (signed.to_str().unwrap(), place.disk.to_str().unwrap());
    let whole = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/wire/v1/valid/witnessed.json");
    for args in [
        &["report", whole][..],
        &["compare", signed, whole],
        &["history"],
        &["verify", signed],
        &["run", disk, "--suite", "deep", "--dry-run"],
        &["run", disk, "--skip", "mix-4k"],
        &["explain"],
        &["explain", "few-flushes"],
        &["fio", "--rw=randwrite", "--bs=8k", "--fsync=1"],
        &["upload"],
        &["key"],
        &["--help"],
        &["run", "--help"],
        &["compare", "--help"],
    ] {
        let (narrow, usual) = (shown(&place, args, NARROW), shown(&place, args, USUAL));
        assert!(!narrow.trim().is_empty(), "{args:?}");
        assert_eq!(words(&narrow), words(&usual), "{args:?}\n{narrow}");
        assert_eq!(too_wide(&narrow), [""; 0], "{args:?}\n{narrow}");
    }
    // What these say changes from one call to the next.
    for args in [["info", disk], ["doctor", disk]] {
        let narrow = shown(&place, &args, NARROW);
        assert_eq!(too_wide(&narrow), [""; 0], "{args:?}\n{narrow}");
    }
}
