"""The examples that Python and Rust share: every valid one is read, every invalid one refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from apps.wire.reading import NotStrictJsonError, read_strict
from apps.wire.run import BadRunError, CloudMetadata, read_kept_parts, read_run, read_stored
from apps.wire.schema import SCHEMA_PATH, schema_faults

EXAMPLES = Path(__file__).parent / "v1"
VALID = sorted((EXAMPLES / "valid").glob("*.json"))
INVALID = sorted((EXAMPLES / "invalid").glob("*.json"))


def changed(document: Any, changes: list[dict[str, Any]]) -> Any:
    """Return a document with members set, removed, or repeated to a list."""
    for change in changes:
        if not change["path"]:
            return change["value"]
        *steps, last = change["path"].split("/")[1:]
        parent = document
        for step in steps:
            parent = parent[int(step)] if isinstance(parent, list) else parent[step]
        key = int(last) if isinstance(parent, list) else last
        if change.get("remove"):
            del parent[key]
        elif "repeat" in change:
            parent[key] = [parent[key][0]] * change["repeat"]
        else:
            parent[key] = change["value"]
    return document


def payload_of(example: dict[str, Any]) -> bytes:
    if "raw" in example:
        raw: str = example["raw"]
        return raw.encode()
    base = json.loads((EXAMPLES / "valid" / example["base"]).read_bytes())
    return json.dumps(changed(base, example["change"])).encode()


@pytest.mark.parametrize("path", VALID, ids=lambda path: path.stem)
def test_a_valid_example_is_read(path: Path) -> None:
    payload = path.read_bytes()
    run, document = read_run(payload), json.loads(payload)
    assert str(run.run_id) == document["run_id"]
    assert len(run.workloads) == len(document["workloads"])
    assert read_stored(payload) == run
    assert read_kept_parts(payload) == {
        part: document[part]
        for part in ("agent", "clock", "consent", "devices", "env", "stack", "suite")
    }


@pytest.mark.parametrize("path", INVALID, ids=lambda path: path.stem)
def test_an_invalid_example_is_refused_at_its_place(path: Path) -> None:
    example = json.loads(path.read_bytes())
    payload = payload_of(example)
    if "raw" in example:
        with pytest.raises(NotStrictJsonError):
            read_run(payload)
        return
    with pytest.raises(BadRunError) as caught:
        read_run(payload)
    assert example["pointer"] in [fault.pointer for fault in caught.value.faults]


def test_what_the_cloud_says_may_be_missing_null_or_told_in_parts() -> None:
    document = json.loads((EXAMPLES / "valid" / "every-field.json").read_bytes())
    env = document["env"]

    def read() -> CloudMetadata | None:
        return read_run(json.dumps(document).encode()).env.cloud_metadata

    assert read() == CloudMetadata(provider="hetzner", instance_type="CAX41", region="fsn1")
    env["cloud_metadata"] = {"provider": "openstack", "instance_type": None, "region": None}
    assert read() == CloudMetadata(provider="openstack", instance_type=None, region=None)
    env["cloud_metadata"] = None
    assert read() is None
    del env["cloud_metadata"]
    assert read() is None


def test_every_property_of_the_schema_occurs_in_a_valid_example() -> None:
    schema = json.loads(SCHEMA_PATH.read_bytes())
    described = set(_properties(schema, schema, ""))
    present: set[str] = set()
    for path in VALID:
        present.update(_members(json.loads(path.read_bytes()), ""))
    assert described - present == set()


def _properties(schema: Any, root: Any, at: str) -> Any:
    """Yield a path for each property that a schema describes; items of arrays are `*`."""
    if "$ref" in schema:
        yield from _properties(root["$defs"][schema["$ref"].rpartition("/")[2]], root, at)
    for name, inner in schema.get("properties", {}).items():
        yield f"{at}/{name}"
        yield from _properties(inner, root, f"{at}/{name}")
    if isinstance(schema.get("items"), dict):
        yield from _properties(schema["items"], root, f"{at}/*")
    for inner in schema.get("oneOf", []):
        yield from _properties(inner, root, at)


def _members(document: Any, at: str) -> Any:
    if isinstance(document, dict):
        for name, inner in document.items():
            yield f"{at}/{name}"
            yield from _members(inner, f"{at}/{name}")
    elif isinstance(document, list):
        for inner in document:
            yield from _members(inner, f"{at}/*")


def test_every_array_string_and_number_of_the_schema_is_bounded() -> None:
    demands = {
        "array": {"maxItems"},
        "integer": {"minimum", "maximum"},
        "object": {"additionalProperties"},
    }
    for schema in _subschemas(json.loads(SCHEMA_PATH.read_bytes())):
        kind = schema.get("type")
        assert kind != "number", "integers only"
        assert demands.get(kind, set()) <= schema.keys(), schema
        if kind == "string":
            assert {"pattern", "enum"} & schema.keys(), schema
        if kind == "object":
            assert schema["additionalProperties"] is False, schema


def _subschemas(schema: Any) -> Any:
    if isinstance(schema, dict):
        if isinstance(schema.get("type"), str):
            yield schema
        for inner in schema.values():
            yield from _subschemas(inner)
    elif isinstance(schema, list):
        for inner in schema:
            yield from _subschemas(inner)


def test_every_fault_of_a_small_document_is_named() -> None:
    document = {"schema": "other", "a/b~c": 1}
    pointers = [fault.pointer for fault in schema_faults(document, size_bytes=30)]
    assert {"/schema", "/run_id", "/workloads", "/a~1b~0c"} <= set(pointers)


def test_faults_are_few_however_many_there_are() -> None:
    document = {f"surplus{place}": 1 for place in range(1000)}
    assert len(schema_faults(document, size_bytes=10_000)) == 20


def test_a_large_document_is_told_its_first_fault_cheaply() -> None:
    document: Any = {"workloads": [{}] * 100_000}
    assert len(schema_faults(document, size_bytes=300_000)) == 1


def test_a_fault_never_echoes_the_senders_value() -> None:
    base = json.loads(VALID[0].read_bytes())
    base["claim"]["plan"] = "<script>" * 100
    (fault,) = schema_faults(base, size_bytes=1000)
    assert "script" not in fault.detail


def test_strict_reading_keeps_what_is_allowed() -> None:
    assert read_strict(b'{"a": [9007199254740991, -1, true, null, "\\ud83d\\ude00"]}') == {
        "a": [9007199254740991, -1, True, None, "😀"]
    }
