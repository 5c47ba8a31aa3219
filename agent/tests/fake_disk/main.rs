//! Whole suites, single loops and the search on disks whose latencies are scripted.

mod measure;
mod search;
mod suites;
