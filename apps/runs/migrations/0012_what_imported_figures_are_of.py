"""Writes beside each figure of a stored import what it is of, which its name alone said until now."""

import re
from typing import Any

from django.db import migrations

IO = "read|write|trim|mixed"
RATE = re.compile(rf"(?P<side>{IO}|total)_iops")
COUNT = re.compile(rf"(?P<side>{IO}|sync)_operations")
RUNTIME = re.compile(rf"(?P<side>{IO})_runtime_ms")
BANDWIDTH = re.compile(rf"(?:(?P<side>{IO})_)?bandwidth_bytes_per_s")
LATENCY = re.compile(
    rf"(?:(?P<side>{IO})_(?P<stage>slat|clat|lat)|sync)_"
    r"(?:(?P<statistic>min|mean|max|stddev)|p(?P<whole>\d{1,3})(?:_(?P<part>\d{1,9}))?)_us"
)
PGBENCH = {
    "tps": ("rate", "per_s", "transaction", ""),
    "transactions": ("count", "", "transaction", ""),
    "failed_transactions": ("failures", "", "transaction", ""),
    "latency_avg_ms": ("latency", "ms", "transaction", "mean"),
    "latency_stddev_ms": ("latency", "ms", "transaction", "stddev"),
    "commit_statement_latency_avg_ms": ("latency", "ms", "commit_statement", "mean"),
    "initial_connection_time_ms": ("duration", "ms", "connection", ""),
    "average_connection_time_ms": ("duration", "ms", "connection", "mean"),
}


def measure(metric: str, unit: str, side: str = "", statistic: str = "", **rest: Any) -> dict[str, Any]:
    found = {"metric": metric, "unit": unit, "side": side, "statistic": statistic, **rest}
    always = {"metric", "unit"}
    return {name: value for name, value in found.items() if value or name in always}


def measure_of(name: str) -> dict[str, Any]:
    if name in PGBENCH:
        return measure(*PGBENCH[name])
    if found := RATE.fullmatch(name):
        return measure("rate", "per_s", found["side"])
    if found := COUNT.fullmatch(name):
        return measure("count", "", found["side"])
    if found := RUNTIME.fullmatch(name):
        return measure("duration", "ms", found["side"])
    if found := BANDWIDTH.fullmatch(name):
        return measure("bandwidth", "bytes_per_s", found["side"] or "")
    if found := LATENCY.fullmatch(name):
        rank = float(f"{found['whole']}.{found['part'] or 0}") if found["whole"] else None
        statistic = found["statistic"] or "percentile"
        side, stage = found["side"] or "sync", found["stage"] or ""
        return measure("latency", "us", side, statistic, stage=stage, percentile=rank)
    return measure("rate", "per_s")  # of pg_test_fsync: named by its call


def fill(apps: Any, _schema_editor: Any) -> None:
    for file in apps.get_model("runs", "ImportedFile").objects.defer("content").iterator():
        for job in file.document["jobs"]:
            for name, figure in job["figures"].items():
                figure["measure"] = measure_of(name)
        file.save(update_fields=("document",))


class Migration(migrations.Migration):
    dependencies = (("runs", "0011_figures_of_labels"),)

    operations = (migrations.RunPython(fill, migrations.RunPython.noop),)
