"""The words of each kind of software that the advisor knows, and of what stands for its log."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from apps.rankings.advice.work import Likeness

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class SoftwareWords:
    """What a kind of software is called, what it waits for, the rule behind it, and its source."""

    title: str | Promise
    waits_for: str | Promise
    rule: str | Promise
    source: str | Promise


SOFTWARE_WORDS: Final[Mapping[str, SoftwareWords]] = {
    "commits": SoftwareWords(
        title=gettext_lazy("Durable commits"),
        waits_for=gettext_lazy("8 KiB each, one writer"),
        rule=gettext_lazy("One writer that waits for each commit; nothing is shared."),
        source=gettext_lazy("The workload commit-8k of this site"),
    ),
    "postgresql": SoftwareWords(
        title="PostgreSQL",
        waits_for=gettext_lazy("8 KiB of log, sessions share a sync"),
        rule=gettext_lazy("One fdatasync a commit; sessions that commit at once share one."),
        source="PostgreSQL documentation, Write Ahead Log: wal_sync_method, commit_delay",
    ),
    "mysql": SoftwareWords(
        title="MySQL, InnoDB",
        waits_for=gettext_lazy("8 KiB of log, two syncs each"),
        rule=gettext_lazy(
            "With sync_binlog=1 and innodb_flush_log_at_trx_commit=1 a transaction syncs the "
            "binary log and then the redo log; sessions share syncs by group commit."
        ),
        source="MySQL Reference Manual: sync_binlog, innodb_flush_log_at_trx_commit",
    ),
    "etcd": SoftwareWords(
        title="etcd",
        waits_for=gettext_lazy("2,300 bytes, p99 under 10 ms"),
        rule=gettext_lazy(
            "p99 of fdatasync under 10 ms, or leaders are lost under load; 50 syncs one after "
            "the other a second, 500 for heavily loaded clusters."
        ),
        source="etcd documentation, Hardware recommendations; FAQ: wal_fsync_duration_seconds",
    ),
    "kafka": SoftwareWords(
        title=gettext_lazy("Kafka with flush.messages=1"),
        waits_for=gettext_lazy("8 KiB appended and synced"),
        rule=gettext_lazy(
            "acks=all alone syncs nothing and relies on replicas; with flush.messages=1 each "
            "batch of a partition is appended and synced."
        ),
        source="Apache Kafka documentation: flush.messages, acks",
    ),
    "zfs-slog": SoftwareWords(
        title="ZFS SLOG",
        waits_for=gettext_lazy("16 KiB past the page cache, with PLP"),
        rule=gettext_lazy(
            "Each synced write waits for the log device, which must keep it through a power cut."
        ),
        source="OpenZFS documentation, Hardware: SLOG devices",
    ),
    "ceph-wal": SoftwareWords(
        title="Ceph BlueStore WAL",
        waits_for=gettext_lazy("4 KiB past the page cache, with PLP"),
        rule=gettext_lazy(
            "Small writes past the page cache, each with a sync; without power-loss protection "
            "every one waits for the flash."
        ),
        source="Ceph documentation, Hardware recommendations: SSDs and write caches",
    ),
    "index-lookups": SoftwareWords(
        title=gettext_lazy("Index lookups, one read after the other"),
        waits_for=gettext_lazy("4 KiB reads, one at a time"),
        rule=gettext_lazy(
            "Each step of a lookup needs the page that the step before it named, so reads wait "
            "one after the other; 99 of 100 within 1 ms is a rule of ours."
        ),
        source=gettext_lazy("The workload randread-4k-qd1 of this site"),
    ),
    "random-reads": SoftwareWords(
        title=gettext_lazy("4 KiB random reads"),
        waits_for=gettext_lazy("4 KiB that arrive by themselves"),
        rule=gettext_lazy(
            "Requests arrive whether or not earlier ones were answered; useful are as many a "
            "second as are answered in time."
        ),
        source=gettext_lazy("The workloads slo-randread of this site, and its page on the method"),
    ),
    "random-writes": SoftwareWords(
        title=gettext_lazy("4 KiB random writes, each durable"),
        waits_for=gettext_lazy("4 KiB that arrive by themselves"),
        rule=gettext_lazy(
            "Requests arrive whether or not earlier ones were answered, and each waits for an "
            "fsync; useful are as many a second as are answered in time."
        ),
        source=gettext_lazy("The workload slo-randwrite of this site, and its page on the method"),
    ),
}
LIKENESSES: Final[Mapping[Likeness, Promise]] = {
    Likeness.OVERWRITE: gettext_lazy(
        "It is the same thing: a small overwrite and one fdatasync, one after the other."
    ),
    Likeness.UNWRITTEN: gettext_lazy(
        "fsync into a file that was only allocated: on top of the overwrite each sync turns "
        "reserved blocks into written ones and commits the journal. Who passes here passes. "
        "How much more that is differs by filesystem (5.2 times on the machine of our "
        "pictures, and its ext4 has no journal to commit), so who misses stays open."
    ),
    Likeness.DIRECT_16K: gettext_lazy(
        "16 KiB past the page cache, fdatasync after each: twice the bytes, but another way to "
        "the disk, so it cannot show a pass. It takes at most as long as two commits (1.2 "
        "times one on the machine of our pictures), so who misses by more than twice fails."
    ),
    Likeness.DIRECT_16K_FSYNC: gettext_lazy(
        "16 KiB past the page cache, fsync after each: another way to the disk, and a sync "
        "that does more. It shows neither a pass nor a failure."
    ),
    Likeness.MYSQL_COMMIT: gettext_lazy(
        "A small overwrite and one fsync, twice for each transaction."
    ),
    Likeness.MYSQL_OVERWRITE: gettext_lazy(
        "fdatasync does less than fsync. It can show that a disk is too slow, never that it is "
        "quick enough."
    ),
    Likeness.ETCD_LOG: gettext_lazy(
        "It is etcd's own shape: 2,300 bytes into allocated blocks, fdatasync after each."
    ),
    Likeness.ETCD_UNWRITTEN: gettext_lazy(
        "More bytes, and fsync in place of fdatasync. Who keeps 10 ms here keeps it for etcd; "
        "who does not may still keep it."
    ),
    Likeness.ETCD_OVERWRITE: gettext_lazy(
        "An overwrite does less work than etcd's log. It can show that a disk is too slow, "
        "never that it is quick enough."
    ),
    Likeness.KAFKA_BATCH: gettext_lazy("A batch is appended and synced, and the file grows."),
    Likeness.KAFKA_OVERWRITE: gettext_lazy(
        "An overwrite need not make a new size durable. It can show that a disk is too slow, "
        "never that it is quick enough."
    ),
    Likeness.SLOG_FLUSH: gettext_lazy(
        "A block past the page cache and a flush after it: what the intent log does."
    ),
    Likeness.SLOG_FSYNC: gettext_lazy(
        "The same block with fsync, which also commits the journal of a filesystem that an "
        "intent log does without. Who passes here passes; who misses stays open."
    ),
    Likeness.SLOG_OVERWRITE: gettext_lazy(
        "An overwrite of 8 KiB moves half the bytes, by way of the page cache. It shows "
        "neither a pass nor a failure."
    ),
    Likeness.CEPH_WRITE: gettext_lazy(
        "Small writes at random places past the page cache, each with a sync."
    ),
    Likeness.CEPH_DIRECT: gettext_lazy(
        "The same way with four times the bytes. Who passes here passes; nobody measured how "
        "much longer it takes, so who misses stays open."
    ),
    Likeness.READS_IN_FLIGHT: gettext_lazy(
        "4 KiB reads, 32 in flight all the time. It shows a rate that is reached, not how late "
        "reads are answered that arrive by themselves."
    ),
    Likeness.READ_AT_A_TIME: gettext_lazy(
        "One 4 KiB read at a time: more at once are no fewer a second, and each waits no less."
    ),
    Likeness.WRITE_AT_A_TIME: gettext_lazy(
        "One durable 4 KiB write at a time: more at once are no fewer a second, and each waits "
        "no less."
    ),
    Likeness.SHARED_COMMITS: gettext_lazy(
        "32 committers of 8 KiB that share syncs as databases do."
    ),
    Likeness.STREAM: gettext_lazy("256 KiB reads in sequence, 8 in flight, past the page cache."),
    Likeness.LOOKUP: gettext_lazy("One 4 KiB read at a time, at random over 4 GiB."),
    Likeness.LOOKUP_OF_QUICK_SUITE: gettext_lazy(
        "The same over 1 GiB, as the quick suite does it. A cache behind the disk is likelier "
        "to hold that, so it can show a failure only."
    ),
    Likeness.SEARCH: gettext_lazy("As many a second as are answered in time."),
}
