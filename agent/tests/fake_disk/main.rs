//! Whole suites, single loops and the search on disks whose latencies are scripted.

mod scripted_suite;
mod slo_search;
mod suites;
mod timed_loops;
