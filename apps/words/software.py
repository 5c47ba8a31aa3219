"""The words of each kind of software that the advisor knows, and of what stands for its log."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.utils.functional import Promise, lazy
from django.utils.translation import gettext_lazy

from apps.rankings.advice.work import Likeness
from apps.words.facts import work_in_words
from apps.words.workloads import HIGHEST_IN_TIME

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class SoftwareWords:
    """What a kind of software is called, what it waits for, the rule behind it, and its source."""

    title: str | Promise
    waits_for: str | Promise
    rule: str | Promise
    source: str | Promise


# A name of work in the language in force.
_work = lazy(work_in_words, str)

SOFTWARE_WORDS: Final[Mapping[str, SoftwareWords]] = {
    "commits": SoftwareWords(
        title=gettext_lazy("Durable commits"),
        waits_for=_work("8 KiB, fdatasync"),
        rule=gettext_lazy("One writer waits for each commit; nothing is shared."),
        source="commit-8k",
    ),
    "postgresql": SoftwareWords(
        title="PostgreSQL",
        waits_for=_work("8 KiB, fdatasync"),
        rule=gettext_lazy("One fdatasync a commit; sessions that commit at once share one."),
        source="PostgreSQL documentation, Write Ahead Log: wal_sync_method, commit_delay",
    ),
    "mysql": SoftwareWords(
        title="MySQL, InnoDB",
        waits_for=_work("8 KiB, fsync, two syncs"),
        rule=gettext_lazy(
            "With sync_binlog=1 and innodb_flush_log_at_trx_commit=1 a transaction syncs the "
            "binary log, then the redo log; sessions share syncs."
        ),
        source="MySQL Reference Manual: sync_binlog, innodb_flush_log_at_trx_commit",
    ),
    "etcd": SoftwareWords(
        title="etcd",
        waits_for=_work("2,300 bytes, p99 under 10 ms"),
        rule=gettext_lazy(
            "p99 of fdatasync under 10 ms, or leaders are lost; 50 syncs a second one after the "
            "other, 500 for heavily loaded clusters."
        ),
        source="etcd documentation, Hardware recommendations; FAQ: wal_fsync_duration_seconds",
    ),
    "kafka": SoftwareWords(
        title=gettext_lazy("Kafka with flush.messages=1"),
        waits_for=_work("8 KiB, append, fdatasync"),
        rule=gettext_lazy("acks=all alone syncs nothing; flush.messages=1 syncs each batch."),
        source="Apache Kafka documentation: flush.messages, acks",
    ),
    "zfs-slog": SoftwareWords(
        title="ZFS SLOG",
        waits_for=_work("16 KiB, O_DIRECT, PLP"),
        rule=gettext_lazy("The log device must keep each synced write through a power cut."),
        source="OpenZFS documentation, Hardware: SLOG devices",
    ),
    "ceph-wal": SoftwareWords(
        title="Ceph BlueStore WAL",
        waits_for=_work("4 KiB, O_DIRECT, PLP"),
        rule=gettext_lazy(
            "Without power-loss protection every small synced write waits for the flash."
        ),
        source="Ceph documentation, Hardware recommendations: SSDs and write caches",
    ),
    "index-lookups": SoftwareWords(
        title=gettext_lazy("Index lookups"),
        waits_for=_work("4 KiB reads, one at a time"),
        rule=gettext_lazy("Each read waits for the one before; p99 under 1 ms is our rule."),
        source="randread-4k-qd1",
    ),
    "random-reads": SoftwareWords(
        title=_work("Random reads, 4 KiB"),
        waits_for="4 KiB",
        rule=gettext_lazy(HIGHEST_IN_TIME),
        source="slo-randread",
    ),
    "random-writes": SoftwareWords(
        title=_work("Random writes, 4 KiB, fsync"),
        waits_for="4 KiB",
        rule=gettext_lazy(HIGHEST_IN_TIME),
        source="slo-randwrite",
    ),
}
_SAME: Final = gettext_lazy("The same work.")
_LESS: Final = gettext_lazy(
    "Less work: it can show a failure; enough is likely only from four times what you need."
)
_MORE: Final = gettext_lazy("More work: it can show a pass, never a failure.")
_OTHER: Final = gettext_lazy(
    "Other work: never firm, and likely only from four times what you need."
)
_AT_A_TIME: Final = gettext_lazy("One at a time: more at once are no fewer a second.")
LIKENESSES: Final[Mapping[Likeness, Promise]] = {
    Likeness.OVERWRITE: _SAME,
    Likeness.UNWRITTEN: _MORE,
    Likeness.DIRECT_16K: gettext_lazy(
        "Twice the bytes: a miss by more than twice fails; enough is likely only from four times."
    ),
    Likeness.DIRECT_16K_FSYNC: _OTHER,
    Likeness.COMPARABLE: _OTHER,
    Likeness.MYSQL_COMMIT: _SAME,
    Likeness.MYSQL_OVERWRITE: _LESS,
    Likeness.ETCD_LOG: _SAME,
    Likeness.ETCD_UNWRITTEN: _MORE,
    Likeness.ETCD_OVERWRITE: _LESS,
    Likeness.KAFKA_BATCH: _SAME,
    Likeness.KAFKA_OVERWRITE: _LESS,
    Likeness.SLOG_FLUSH: _SAME,
    Likeness.SLOG_FSYNC: _MORE,
    Likeness.SLOG_OVERWRITE: _OTHER,
    Likeness.CEPH_WRITE: _SAME,
    Likeness.CEPH_DIRECT: _MORE,
    Likeness.READS_IN_FLIGHT: gettext_lazy(
        "A rate with 32 in flight does not show how late single requests are answered."
    ),
    Likeness.READ_AT_A_TIME: _AT_A_TIME,
    Likeness.WRITE_AT_A_TIME: _AT_A_TIME,
    Likeness.SHARED_COMMITS: _SAME,
    Likeness.STREAM: _SAME,
    Likeness.LOOKUP: _SAME,
    Likeness.LOOKUP_OF_QUICK_SUITE: gettext_lazy(
        "Over 1 GiB, which a cache can hold: enough is likely only from four times what you need."
    ),
    Likeness.SEARCH: gettext_lazy(HIGHEST_IN_TIME),
}
