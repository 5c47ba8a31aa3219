//! Where the next operation goes: one after another, or uniformly random; always block-aligned.

/// SplitMix64: one addition and two multiplications, and every seed gives a good sequence.
#[derive(Debug, Clone)]
pub struct SplitMix(u64);

impl SplitMix {
    /// The sequence of this seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// 64 uniformly random bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A uniformly random number below `bound`: the high half of a 128-bit product, without a division.
    #[inline]
    pub fn below(&mut self, bound: u64) -> u64 {
        let product = u128::from(self.next_u64()) * u128::from(bound);
        u64::try_from(product >> 64).unwrap_or(0)
    }
}

/// A part of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Area {
    /// Where it begins.
    pub first: u64,
    /// How long it is.
    pub bytes: u64,
}

impl Area {
    /// The first `bytes` of a file.
    pub const fn whole(bytes: u64) -> Self {
        Self { first: 0, bytes }
    }

    /// The `index`-th of `count` equal parts that are a whole number of blocks long.
    #[must_use]
    pub fn part(&self, index: usize, count: usize, block_bytes: u64) -> Self {
        let bytes = self.bytes / count as u64 / block_bytes * block_bytes;
        Self { first: self.first + bytes * index as u64, bytes }
    }
}

/// A stream of offsets.
#[derive(Debug, Clone)]
pub enum Offsets {
    /// One after another, again from the start at the end.
    Sequential {
        /// Where it begins, and begins again.
        first: u64,
        /// The next one.
        next: u64,
        /// From one to the next.
        step: u64,
        /// The end: every block begins before this offset.
        end: u64,
    },
    /// Uniformly random.
    Random {
        /// Where the area begins.
        first: u64,
        /// Blocks in it.
        blocks: u64,
        /// Bytes of each.
        block_bytes: u64,
        /// Which one is next.
        random: SplitMix,
    },
}

impl Offsets {
    /// All blocks of `area`, in order.
    pub fn sequential(area: Area, block_bytes: u64) -> Self {
        Self::strided(area, block_bytes, 0, 1)
    }

    /// Every `count`-th block of `area` from the `index`-th on, so that `count` threads together go through
    /// it in order.
    pub fn strided(area: Area, block_bytes: u64, index: usize, count: usize) -> Self {
        let first = area.first + block_bytes * index as u64;
        let end = area.first + area.bytes / block_bytes * block_bytes;
        Self::Sequential { first, next: first, step: block_bytes * count as u64, end }
    }

    /// Uniformly random blocks of `area`.
    pub fn random(area: Area, block_bytes: u64, seed: u64) -> Self {
        let blocks = area.bytes / block_bytes;
        Self::Random { first: area.first, blocks, block_bytes, random: SplitMix::new(seed) }
    }

    /// The next offset.
    #[inline]
    pub fn next_offset(&mut self) -> u64 {
        match self {
            Self::Sequential { first, next, step, end } => {
                let offset = *next;
                *next += *step;
                if *next >= *end {
                    *next = *first;
                }
                offset
            }
            Self::Random { first, blocks, block_bytes, random } => {
                *first + random.below(*blocks) * *block_bytes
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn take(offsets: &mut Offsets, count: usize) -> Vec<u64> {
        (0..count).map(|_| offsets.next_offset()).collect()
    }

    #[test]
    fn the_random_numbers_are_those_of_split_mix_64() {
        let mut random = SplitMix::new(1_234_567);
        let first = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!([random.next_u64(), random.next_u64(), random.next_u64()], first);
    }

    #[test]
    fn sequential_offsets_begin_again_and_never_cut_a_block() {
        let mut offsets = Offsets::sequential(Area { first: 100, bytes: 35 }, 10);
        assert_eq!(take(&mut offsets, 5), [100, 110, 120, 100, 110]);
    }

    #[test]
    fn strides_of_all_threads_cover_every_block_once() {
        let area = Area::whole(80);
        let mut seen: Vec<u64> =
            (0..4).flat_map(|index| take(&mut Offsets::strided(area, 10, index, 4), 2)).collect();
        seen.sort_unstable();
        assert_eq!(seen, [0, 10, 20, 30, 40, 50, 60, 70]);
        assert_eq!(take(&mut Offsets::strided(area, 10, 3, 4), 3), [30, 70, 30]);
    }

    #[test]
    fn parts_do_not_overlap_and_are_whole_blocks() {
        let area = Area { first: 1_000, bytes: 105 };
        assert_eq!(area.part(0, 3, 10), Area { first: 1_000, bytes: 30 });
        assert_eq!(area.part(2, 3, 10), Area { first: 1_060, bytes: 30 });
    }

    #[test]
    fn random_offsets_stay_inside_and_reach_all() {
        let mut offsets = Offsets::random(Area { first: 4096, bytes: 64 * 4096 }, 4096, 7);
        let seen: HashSet<u64> = take(&mut offsets, 2_000).into_iter().collect();
        assert_eq!(seen.len(), 64);
        assert!(seen.iter().all(|offset| offset % 4096 == 0 && (4096..65 * 4096).contains(offset)));
    }
}
