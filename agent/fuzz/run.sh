#!/bin/sh
# Every target in turn for so many seconds each (60 without a word), beginning with the repository's fixtures. Needs
# nightly Rust and `cargo install cargo-fuzz --locked`. What is found stays in agent/fuzz/artifacts.
set -eu
cd -- "$(dirname -- "$0")/.."
seconds=${1:-60}
# Some targets lay out files: in memory that is ten times as quick.
[ ! -d /dev/shm ] || export TMPDIR=/dev/shm
fixtures=$(cd ../tests/wire/v1 && pwd)

# fuzz TARGET BYTES_MAX FOLDERS…: what is new goes to its corpus, the folders are only read
fuzz() {
    target=$1
    bytes_max=$2
    shift 2
    mkdir -p "fuzz/corpus/$target"
    printf '\n== %s\n' "$target"
    cargo +nightly fuzz run "$target" "fuzz/corpus/$target" "$@" -- \
        -max_total_time="$seconds" -max_len="$bytes_max" -close_fd_mask="$mask" -timeout=20 -print_final_stats=1
}

mask=0
fuzz arguments 512 fuzz/seeds/arguments
fuzz envelope 65536 fuzz/seeds/envelope
fuzz mountinfo 4096 fuzz/seeds/mountinfo
fuzz tree 16384 tests/trees
fuzz ring 64
fuzz fio 2048 fuzz/seeds/fio
# This one shows what it reads: its output is not wanted.
mask=3
fuzz result 65536 "$fixtures/valid"
