"""Packs what is stored, a batch a transaction: stopped half way, it goes on where it was."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from django.db import migrations, transaction

from apps.runs.packed.packing import BucketCounts, deflated, packed, packed_counts
from apps.wire.dsse import (
    RUN_PAYLOAD_TYPE,
    BadEnvelopeError,
    Envelope,
    Signature,
    read_envelope,
    written,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

BATCH = 500  # rows: uploads of a few KB, or of 4 MB at worst
# Which rows are left, what of them is read, and how packed ones are written.
UPLOADS = (
    "SELECT run_id, payload, envelope, key_id FROM runs_upload WHERE signature IS NULL",
    "run_id",
    "UPDATE runs_upload SET payload = %s, signature = %s, envelope = %s WHERE run_id = %s",
)
MEASUREMENTS = (
    "SELECT id, passes::text FROM runs_measurement WHERE packed_passes IS NULL",
    "id",
    "UPDATE runs_measurement SET packed_passes = %s WHERE id = %s",
)
LATENCIES = (
    "SELECT id, buckets, counts FROM runs_latency WHERE histogram IS NULL AND buckets <> '{}'",
    "id",
    "UPDATE runs_latency SET histogram = %s, curve = '[]' WHERE id = %s",
)
DEFLATED = b"x"  # the first byte of zlib's; JSON never begins with it


def pack_all(connection: Any) -> Iterator[None]:
    """Pack what is not packed yet, a batch each step."""
    yield from _in_batches(connection, *UPLOADS, _packed_upload)
    yield from _in_batches(connection, *MEASUREMENTS, _packed_measurement)
    yield from _in_batches(connection, *LATENCIES, _packed_latency)


def _in_batches(
    connection: Any, rows: str, key: str, update: str, change: Callable[..., tuple[Any, ...]]
) -> Iterator[None]:
    after, last = "", list[Any]()
    while True:
        with connection.cursor() as cursor:
            cursor.execute(f"{rows} {after} ORDER BY {key} LIMIT {BATCH} FOR NO KEY UPDATE", last)
            batch = cursor.fetchall()
            if not batch:
                return
            cursor.executemany(update, [change(*row) for row in batch])
        after, last = f"AND {key} > %s", [batch[-1][0]]
        yield


def _packed_upload(run_id: Any, payload: Any, envelope: Any, key_id: str) -> tuple[Any, ...]:
    """Return the columns of an upload: its envelope only where it cannot be made again."""
    raw, sent = bytes(payload), bytes(envelope)
    if raw.startswith(DEFLATED):  # of a round before, and its envelope has to stay
        return raw, None, sent, run_id
    try:
        sig = read_envelope(sent).signatures[0].sig
    except BadEnvelopeError:
        return deflated(raw), None, sent, run_id
    signatures = (Signature(keyid=key_id, sig=sig),)
    if written(Envelope(RUN_PAYLOAD_TYPE, raw, signatures), signatures=signatures) != sent:
        return deflated(raw), None, sent, run_id
    return deflated(raw), sig, None, run_id


def _packed_measurement(pk: int, passes: str) -> tuple[Any, ...]:
    return packed(json.loads(passes)), pk


def _packed_latency(pk: int, buckets: list[int], counts: list[int]) -> tuple[Any, ...]:
    return packed_counts(BucketCounts(buckets, counts)), pk


def pack(_apps: Any, schema_editor: Any) -> None:
    """Pack, each batch for itself."""
    steps, connection = pack_all(schema_editor.connection), schema_editor.connection
    while True:
        with transaction.atomic(using=connection.alias):
            if next(steps, steps) is steps:
                return


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("runs", "0073_packed_columns")]

    operations = [migrations.RunPython(pack, migrations.RunPython.noop)]
