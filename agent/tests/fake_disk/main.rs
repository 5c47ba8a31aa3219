//! Whole suites, single loops and the search on disks whose latencies are scripted.

mod measure;
mod scripted_suite;
mod search;
mod suites;
