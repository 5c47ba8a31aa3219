"""Dumps in a store that speaks S3: whole or not at all, and read where it is public."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING, Any
from urllib.request import Request, urlopen

import pytest
from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.test import override_settings
from moto.server import ThreadedMotoServer
from storages.backends.s3 import S3Storage

from apps.accounts.clock import database_now
from apps.config import settings as site
from apps.rankings.dumps import store
from apps.rankings.dumps.store import dump_if_due
from apps.rankings.models import Dump
from tests.rankings.dumps.test_store import few

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.test import Client

pytestmark = [pytest.mark.django_db, pytest.mark.daily]
BUCKET = "dumps"
EVERYBODY_READS = {
    "Effect": "Allow", "Principal": "*", "Action": "s3:GetObject",
    "Resource": f"arn:aws:s3:::{BUCKET}/*",
}  # fmt: skip


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[S3Storage]:
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    urlopen(Request(f"http://{host}:{port}/moto-api/reset", method="POST")).close()
    for name, value in {
        "ENDPOINT": f"http://{host}:{port}", "REGION": "us-east-1", "ACCESS_KEY": "key",
        "SECRET_KEY": "secret", "PUBLIC_URL": f"http://{host}:{port}/{BUCKET}/",
    }.items():  # fmt: skip
        monkeypatch.setenv(f"DUMPS_{name}", value)
    monkeypatch.setattr(site, "DUMPS_BUCKET", BUCKET)
    monkeypatch.setattr(store, "write_dump", few)
    dumps = site._dump_storage()
    with override_settings(STORAGES={**settings.STORAGES, "dumps": dumps}):
        storage = storages["dumps"]
        assert isinstance(storage, S3Storage)
        storage.bucket.create()
        storage.bucket.Policy().put(Policy=json.dumps({"Statement": [EVERYBODY_READS]}))
        yield storage
    server.stop()


def names(bucket: S3Storage) -> set[str]:
    """All that lies in the bucket."""
    return {each.key for each in bucket.bucket.objects.all()}


def test_dumps_are_read_at_their_public_address_and_old_ones_go(
    bucket: S3Storage, client: Client
) -> None:
    moment = database_now() - timedelta(days=1)
    files = [{"name": "runs.parquet"}, {"name": "envelopes-2026-10.tar.zst"}]
    Dump.objects.create(name="yesterday", begun_at=moment, finished_at=moment, files=files)
    Dump.objects.create(name="killed", begun_at=moment)
    for each in ("yesterday", "killed"):
        for file in files:
            bucket.save(f"{each}/{file['name']}", ContentFile(b"x"))
    newest = dump_if_due()
    assert newest is not None
    assert names(bucket) == {
        "yesterday/runs.parquet",
        *(f"{newest.name}/{each['name']}" for each in newest.files),
    }
    answer = client.get(f"/data/{newest.name}/runs.parquet")
    assert answer.headers["Cache-Control"] == "no-store"
    with urlopen(answer.headers["Location"]) as file:  # noqa: S310 -- of the fixture's server
        assert file.read() == b"x"


def test_of_an_upload_that_fails_in_the_middle_nothing_stays(
    bucket: S3Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    save = S3Storage.save

    def is_away(self: S3Storage, name: str, content: Any) -> Any:
        if names(self):
            raise ConnectionError("the store is away")
        return save(self, name, content)

    monkeypatch.setattr(S3Storage, "save", is_away)
    with pytest.raises(ConnectionError):
        dump_if_due()
    assert not names(bucket)
    assert Dump.objects.get().error == "ConnectionError: the store is away"
