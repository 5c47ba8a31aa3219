"""How quick each class of storage is: single operations, many in flight, and a flush.

Single commits, reads and writes are those of the ladder's classes, limits those of data sheets.
Nobody measured them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class ExampleClass:
    """What all drives of a class have in common; a drive adds the time of its own commit."""

    read_ns: int  # a random 4 KiB, alone
    write_ns: int  # the same past the page cache, without a sync
    flush_ns: int  # with nothing to flush
    reads_per_s: int  # random, however many are in flight
    writes_per_s: int
    bytes_per_s: int
    tail: float  # how many times longer the slowest hundredth of commits takes
    # A flush takes so much longer for each byte in a cache that it empties; 0: it empties none.
    emptied_byte_ns: float = 0.0
    buffer_bytes: int = 0  # of an area, which reads past the page cache then find in the drive
    read_deviation: float = 0.08  # of reads among themselves, in ln
    deviation: float = 1.0  # of plans and machines, against that of network volumes


NVME_PROTECTED: Final = ExampleClass(
    read_ns=78_000, write_ns=13_000, flush_ns=1_500, reads_per_s=800_000, writes_per_s=180_000,
    bytes_per_s=5_000_000_000, tail=3.0, deviation=0.25,
)  # fmt: skip
NVME: Final = ExampleClass(
    read_ns=66_000, write_ns=18_000, flush_ns=150_000, reads_per_s=700_000, writes_per_s=200_000,
    bytes_per_s=4_500_000_000, tail=4.0, emptied_byte_ns=0.3, deviation=0.25,
)  # fmt: skip
SATA_PROTECTED: Final = ExampleClass(
    read_ns=150_000, write_ns=55_000, flush_ns=60_000, reads_per_s=90_000, writes_per_s=28_000,
    bytes_per_s=520_000_000, tail=3.0, deviation=0.25,
)  # fmt: skip
SATA: Final = ExampleClass(
    read_ns=165_000, write_ns=60_000, flush_ns=100_000, reads_per_s=85_000, writes_per_s=40_000,
    bytes_per_s=500_000_000, tail=5.0, emptied_byte_ns=0.5, deviation=0.25,
)  # fmt: skip
HARD_DISK: Final = ExampleClass(
    read_ns=5_800_000, write_ns=120_000, flush_ns=200_000, reads_per_s=210, writes_per_s=350,
    bytes_per_s=240_000_000, tail=2.5, emptied_byte_ns=2.0, buffer_bytes=64 << 20,
    read_deviation=0.35, deviation=0.25,
)  # fmt: skip
CLOUD_NVME: Final = ExampleClass(  # the host hands a controller on, or a part of one
    read_ns=98_000, write_ns=26_000, flush_ns=20_000, reads_per_s=250_000, writes_per_s=90_000,
    bytes_per_s=1_400_000_000, tail=4.0, deviation=0.5,
)  # fmt: skip
CLOUD_LOCAL: Final = ExampleClass(  # a file or a logical volume of the host
    read_ns=265_000, write_ns=110_000, flush_ns=260_000, reads_per_s=45_000, writes_per_s=22_000,
    bytes_per_s=1_200_000_000, tail=6.0, deviation=0.6,
)  # fmt: skip
CLOUD_NETWORK: Final = ExampleClass(
    read_ns=520_000, write_ns=700_000, flush_ns=800_000, reads_per_s=12_000, writes_per_s=10_000,
    bytes_per_s=250_000_000, tail=7.0,
)  # fmt: skip
BUFFER_READ_NS: Final = 110_000  # of a hard disk: its link and no platter
