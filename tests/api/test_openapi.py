"""The description is valid, is what the code does, and is what lies in docs."""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING, Any

import jsonschema_rs
import pytest
from django.core.management import call_command
from django.urls import get_resolver
from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.validation import validate_schema

from apps.api.management.commands import write_openapi
from apps.api.openapi.description import as_yaml, openapi_document
from apps.runs.models import Upload
from apps.wire.dsse import CONTENT_TYPE
from tests import make
from tests.support.catalogue import store_catalogue

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client
    from pytest_django.fixtures import Settings


def test_the_file_in_docs_is_what_the_code_describes(settings: Settings) -> None:
    written = (settings.BASE_DIR / write_openapi.OPENAPI_FILE).read_text(encoding="utf-8")
    assert written == as_yaml(openapi_document()), "run: ./run manage write_openapi"


def test_the_command_writes_the_file(settings: Settings, tmp_path: Path) -> None:
    settings.BASE_DIR = tmp_path
    (tmp_path / "docs").mkdir()
    out = StringIO()
    call_command("write_openapi", stdout=out)
    assert (tmp_path / "docs" / "openapi.yaml").read_text().startswith("openapi: 3.1.0\n")
    assert out.getvalue() == "Wrote docs/openapi.yaml.\n"


def test_the_description_is_valid_openapi() -> None:
    validate_schema(openapi_document())  # type: ignore[no-untyped-call]  # theirs


def test_every_field_was_understood() -> None:
    openapi_document()
    assert not GENERATOR_STATS


def test_every_address_of_the_api_is_described() -> None:
    addresses = {
        f"/{pattern.pattern}".replace("<str:", "{").replace(">", "}")
        for include in get_resolver().url_patterns
        for pattern in getattr(include, "url_patterns", [])
        if str(pattern.pattern).startswith("api/v1/")
    }
    assert addresses == openapi_document()["paths"].keys() | {"/api/v1/schema"}


@pytest.mark.django_db
def test_the_served_description_is_the_same(client: Client) -> None:
    response = client.get("/api/v1/schema")
    assert response.headers["Content-Type"] == "application/vnd.oai.openapi+json"
    assert response.json() == openapi_document()


def test_operations_have_names_of_their_own() -> None:
    names = [
        operation["operationId"]
        for path in openapi_document()["paths"].values()
        for operation in path.values()
    ]
    assert len(names) == len(set(names)) == 29


def check(answer: Any, *, path: str, method: str = "get", status: str = "200") -> None:
    """Hold an answer against the schema that the description gives for it."""
    document = openapi_document()
    response = document["paths"][path][method]["responses"][status]
    (media,) = response["content"].values()
    schema = {**media["schema"], "components": document["components"]}
    jsonschema_rs.Draft202012Validator(schema, validate_formats=True).validate(answer)


@pytest.mark.django_db
def test_every_answer_fits_its_description(client: Client) -> None:
    store_catalogue()
    run = make.run(upload=make.upload(state=Upload.State.DONE), plan=make.plan())
    make.latency(measurement=make.measurement(run=run))
    make.label(run=run)
    waiting = make.upload()
    for address, path in (
        ("runs?limit=200", "runs"),
        (f"runs/{run.slug}", "runs/{run_id}"),
        (f"runs/{waiting.run_id}", "runs/{run_id}"),
        ("runs/webp-ax102-pgbench-c16", "runs/{run_id}"),
        ("runs/smalldatum-hetz-16k-fdatasync-r1", "runs/{run_id}"),
        ("plans?limit=200", "plans"),
        ("plans/hetzner-ax102-15-36-tb-nvme-dc-drive", "plans/{slug}"),
        ("providers", "providers"),
        ("providers/hetzner", "providers/{slug}"),
        ("drives?limit=200", "drives"),
        ("drives/samsung-pm9a3", "drives/{slug}"),
        ("standings?limit=200", "standings"),
        ("advice?software=etcd&rate=50", "advice"),
    ):
        check(client.get(f"/api/v1/{address}").json(), path=f"/api/v1/{path}")
    check(client.get("/api/v1/plans/no").json(), path="/api/v1/plans/{slug}", status="404")
    check(client.get("/api/v1/plans?x=1").json(), path="/api/v1/plans", status="400")


@pytest.mark.django_db
def test_the_door_answers_as_described(client: Client) -> None:
    agent, run_id = make.Agent(), make.uuid7()
    for method, path, described, body in (
        ("put", f"keys/{agent.keyid}", "keys/{keyid}", agent.key_statement()),
        ("post", "challenges", "challenges", agent.challenge_request(run_id)),
        ("put", f"runs/{run_id}", "runs/{run_id}", agent.seal(make.payload(run_id=run_id))),
    ):
        response = client.generic(method.upper(), f"/api/v1/{path}", body, CONTENT_TYPE)
        assert response.status_code == 201, response.content
        check(response.json(), path=f"/api/v1/{described}", method=method, status="201")
    refused = client.put("/api/v1/keys/none", b"{}", content_type=CONTENT_TYPE)
    check(refused.json(), path="/api/v1/keys/{keyid}", method="put", status="default")
