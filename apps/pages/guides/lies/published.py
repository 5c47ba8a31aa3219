"""Figures of others that pictures use, each by its id in the catalogue of published results."""

from typing import Final

from apps.pages.guides.lies.lie import CitedSource

# id of the result: the figure as it is drawn, in nanoseconds or a second
CLAT_P1_668_NS: Final = ("ccx33-668ns-randread-8k", 668)
READ_P50_NS: Final = ("ccx33-668ns-randread-8k", 123_000)
READ_P99_NS: Final = ("ccx33-668ns-randread-8k", 1_300_000)
WRITE_P50_NS: Final = ("ccx33-668ns-randwrite-8k-fsync", 12_100_000)
WRITE_P99_NS: Final = ("ccx33-668ns-randwrite-8k-fsync", 16_200_000)
WRITES_PER_S: Final = ("ccx33-668ns-randwrite-8k-fsync", 10_200)
HOME_NVME_MIN_NS: Final = ("ccx33-668ns-home-nvme-read-floor", 61_000)
AX102_SYNCED_PER_S: Final = ("webp-ax102-fio-fsync-8k", 10_318.05)
AX41_SYNCED_PER_S: Final = ("webp-ax41-nvme-fio-fsync-8k", 187.15)
AX102_UNSYNCED_PER_S: Final = ("webp-ax102-yabs-4k-write", 194_400)
AX41_UNSYNCED_PER_S: Final = ("webp-ax41-nvme-yabs-4k-write", 127_800)

FRN: Final = CitedSource(
    "frn.sh, 668 nanoseconds on a network disk",
    "https://frn.sh/static/program/668-nanoseconds/",
    "",
)
WEBP: Final = CitedSource(
    "WebP Cloud, Hetzner AX102 review",
    "https://blog.webp.se/hetzner-ax102-review-enterprise-nvme-vs-consumer-ssd-fsync-en/",
    "2025-11",
)
# Not of the catalogue: one output of fio in a manual, as an example of two clocks in one job.
VIRTUOZZO: Final = CitedSource(
    "Virtuozzo, Benchmarking Guide: Understanding results",
    "https://docs.virtuozzo.com/virtuozzo_hybrid_infrastructure_4_7_benchmarking_guide/"
    "understanding-results.html",
    "2019-01",
)
VIRTUOZZO_CLAT_MIN_NS: Final = 1_567
VIRTUOZZO_LAT_MIN_NS: Final = 50_000
XL_FLASH: Final = CitedSource(
    "ComputerBase, Kioxia FL6 and its successor",
    "https://www.computerbase.de/2023-03/"
    "kioxia-naechste-generation-der-xl-flash-ssd-mit-mlc-und-pcie-5-0",
    "2023-03",
)
FIO_CLOCKS: Final = CitedSource(
    "Vincent Fu, How does fio measure latency",
    "https://github.com/vincentkfu/fio-blog/wiki/How-does-fio-measure-latency",
    "2023-09",
)
APPLE: Final = CitedSource(
    "Apple, manual page fsync(2)",
    "https://developer.apple.com/library/mac/documentation/Darwin/Reference/ManPages/man2/"
    "fsync.2.html",
    "2026-11-22",
)
