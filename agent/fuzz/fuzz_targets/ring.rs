//! The ring against a real kernel, in any order of calls: what a model of the file and of the slots says must
//! be so. It is the one parser-less target: the ring is where most unsafe code is, and here it runs under the
//! address sanitizer.
#![no_main]

use fsyncmark::sys::io_request::{RingMode, Request, SyncCall};
use fsyncmark::disk::Queue;
use fsyncmark::disk::ring_queue::RingQueue;
use libfuzzer_sys::fuzz_target;

const SLOTS: usize = 4;
const BLOCK_BYTES: usize = 512;
/// Blocks of the file: few, so that requests meet.
const BLOCKS: u64 = 4;

/// What each slot does: `None` while it is free.
type Flying = [Option<Request>; SLOTS];

fuzz_target!(|calls: &[u8]| {
    let ring_mode = if calls.len() % 2 == 0 { RingMode::Plain } else { RingMode::Deferred };
    let file = tempfile::tempfile().expect("a temporary file");
    file.set_len(BLOCKS * BLOCK_BYTES as u64).expect("a small file");
    let Ok(mut queue) = RingQueue::new(file, SLOTS, BLOCK_BYTES, ring_mode) else { return };
    let mut flying: Flying = [None; SLOTS];
    for call in calls.iter().take(64) {
        let slot = usize::from(call >> 6);
        match call & 7 {
            0..=4 if flying[slot].is_none() => begin(&mut queue, &mut flying, slot, *call),
            5 => queue.submit(0).expect("a kernel that takes it"),
            6 => queue.submit(1).expect("a kernel that takes it"),
            _ => land(&mut queue, &mut flying),
        }
    }
    if calls.first().is_some_and(|call| call & 32 != 0) {
        // Dropped in flight: it must wait, or keep its memory.
        return;
    }
    while flying.iter().any(Option::is_some) {
        queue.submit(1).expect("a kernel that takes it");
        land(&mut queue, &mut flying);
    }
    assert!(queue.completion().is_none(), "as many completions as requests");
});

fn begin(queue: &mut RingQueue, flying: &mut Flying, slot: usize, call: u8) {
    let offset = u64::from(call >> 3 & 3) % BLOCKS * BLOCK_BYTES as u64;
    let request = match call & 7 {
        0 => Request::Read(offset, 0),
        1 => Request::Write(offset, 0),
        // The rest of a transfer that was short, and one behind the end of the file.
        2 => Request::Write(offset, BLOCK_BYTES / 2),
        3 => Request::Read(offset + BLOCKS * BLOCK_BYTES as u64, 0),
        _ => Request::Sync(SyncCall::Fdatasync),
    };
    if matches!(request, Request::Write(..)) {
        queue.stamp(slot);
    }
    queue.prepare(slot, request);
    flying[slot] = Some(request);
}

fn land(queue: &mut RingQueue, flying: &mut Flying) {
    while let Some((slot, result)) = queue.completion() {
        let request = flying[slot].take().expect("only what flies can land");
        let expected = match request {
            Request::Read(offset, _) if offset >= BLOCKS * BLOCK_BYTES as u64 => 0,
            Request::Read(_, from) | Request::Write(_, from) => BLOCK_BYTES - from,
            Request::Sync(_) => 0,
        };
        assert_eq!(result.expect("a file that takes everything"), expected, "{request:?}");
    }
    // The blocks of free slots are reachable again.
    for slot in (0..SLOTS).filter(|slot| flying[*slot].is_none()) {
        queue.stamp(slot);
    }
}
