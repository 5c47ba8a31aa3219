#!/bin/sh
# The tests that Miri can run in a few minutes: offsets, samples, passes, the envelope, texts of the kernel. It finds
# undefined behaviour and broken aliasing. What it cannot run asks a real kernel (io_uring, O_TMPFILE, signals,
# sockets), or takes it an hour (whole suites, the queue's model, histograms of every value). Needs nightly Rust with
# the components miri and rust-src.
set -eu
cd -- "$(dirname -- "$0")"
# The probes read the trees of the tests, and keys come from the system.
export MIRIFLAGS="-Zmiri-disable-isolation ${MIRIFLAGS:-}"
exec cargo +nightly miri test --locked --lib -- \
    engine::offsets engine::rate_samples engine::pass hex:: text:: units:: wire::envelope \
    probe::storage::mounts probe::storage::diskstats probe::machine::control_groups probe::machine::cpu_time
