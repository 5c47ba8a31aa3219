//! What test files contain: ChaCha20 keystream, block by block, so that a server that gave the seed
//! can check that the file really was written and read back.
//!
//! The 4 KiB block number i is the RFC 8439 keystream with key = seed, nonce = i as 12 bytes little
//! endian, from block counter 1 on.

use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, Nonce, UnboundKey};
use sha2::{Digest, Sha256};

use crate::hex;
use crate::sys::memory::AlignedBuffer;

/// Bytes of one numbered block.
pub const BLOCK_BYTES: u64 = 4096;
/// Blocks that the proof reads back.
const PROOF_BLOCKS: u64 = 16;
/// Distance between two of them: 4 MiB, so that the sixteen span the 64 MiB of the commit file.
const PROOF_STRIDE: u64 = 1024;

/// The 32 bytes from which a file's contents follow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seed(pub [u8; 32]);

impl Seed {
    /// A seed from the system's random numbers.
    pub fn random() -> Self {
        Self(crate::sys::random())
    }

    /// A seed from 64 hexadecimal digits.
    pub fn from_hex(text: &str) -> Option<Self> {
        hex::decode(text).map(Self)
    }
}

/// Fills `bytes` with the blocks from `first_block` on; the last one may be cut short.
///
/// RFC 8439's AEAD begins its keystream at block 1, and zeros that it encrypts are the keystream;
/// the tag is not needed.
pub fn fill(seed: &Seed, first_block: u64, bytes: &mut [u8]) {
    let key = UnboundKey::new(&CHACHA20_POLY1305, &seed.0).expect("a seed has the length of a key");
    let key = LessSafeKey::new(key);
    bytes.fill(0);
    for (block, chunk) in (first_block..).zip(bytes.chunks_mut(4096)) {
        let mut nonce = [0_u8; 12];
        nonce[..8].copy_from_slice(&block.to_le_bytes());
        let nonce = Nonce::assume_unique_for_key(nonce);
        let _tag = key
            .seal_in_place_separate_tag(nonce, Aad::empty(), chunk)
            .expect("a block is shorter than what one nonce may encrypt");
    }
}

/// `len` bytes of keystream from a fresh seed, aligned to a page.
pub fn random_buffer(len: usize) -> AlignedBuffer {
    let mut buffer = AlignedBuffer::zeroed(len);
    fill(&Seed::random(), 0, buffer.as_mut());
    buffer
}

/// The offsets of the blocks that the proof reads back, in order.
pub fn proof_offsets() -> impl Iterator<Item = u64> {
    (0..PROOF_BLOCKS).map(|index| index * PROOF_STRIDE * BLOCK_BYTES)
}

/// The proof: SHA-256 over the blocks at `proof_offsets`, concatenated, as hexadecimal digits.
pub fn proof<E>(
    mut read_block: impl FnMut(u64, &mut [u8]) -> Result<(), E>,
    block: &mut [u8],
) -> Result<String, E> {
    let mut digest = Sha256::new();
    for offset in proof_offsets() {
        read_block(offset, block)?;
        digest.update(&*block);
    }
    Ok(hex::encode(&digest.finalize()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_does_not_depend_on_where_filling_began() {
        let seed = Seed([7; 32]);
        let mut whole = vec![1_u8; 3 * 4096];
        fill(&seed, 5, &mut whole);
        let mut last = vec![2_u8; 4096];
        fill(&seed, 7, &mut last);
        assert_eq!(&whole[2 * 4096..], last);
        assert_ne!(&whole[..4096], &whole[4096..8192]);
    }

    #[test]
    fn the_proof_spans_a_file_of_64_mib() {
        let offsets: Vec<u64> = proof_offsets().collect();
        assert_eq!((offsets[0], offsets[15], offsets.len()), (0, 60 << 20, 16));
    }
}
