"""Messages by a Sentinel, with the options that the processes give to every broker."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from kombu import Connection

from apps.embedded.account import Account
from apps.embedded.binaries import valkey_binary
from apps.embedded.postgres import free_port
from apps.embedded.process import Child, Command, wait_until
from apps.embedded.valkey import START_SECONDS, answers
from tests.faults.site.own_site import new_home

MASTER = settings.CELERY_BROKER_TRANSPORT_OPTIONS["master_name"]


@pytest.fixture
def sentinel() -> Iterator[str]:
    """The address of a Sentinel that knows where the Valkey of the tests is."""
    valkey = urlsplit(settings.REDIS_URL)
    if valkey.scheme != "redis" or valkey.hostname != "127.0.0.1":
        pytest.skip("needs the embedded Valkey")
    home, port, account = new_home(), free_port(), Account.for_servers()
    account.give(home)
    file = home / "sentinel.conf"  # Sentinel writes into it
    password = valkey.password or ""
    file.write_text(
        f"port {port}\nbind 127.0.0.1\ndir {home}\nrequirepass {password}\n"
        f"sentinel monitor {MASTER} 127.0.0.1 {valkey.port} 1\n"
        f"sentinel auth-pass {MASTER} {password}\n",
        encoding="utf-8",
    )
    account.give(file)
    program = valkey_binary(account=account, home=home)
    log = Path(home) / "sentinel.log"
    child = Child(
        Command(
            name="Sentinel", argv=[str(program), str(file), "--sentinel"], log=log, account=account
        )
    )
    wait_until(
        lambda: answers(port=port, password=password), what="Sentinel answers",
        seconds=START_SECONDS, children=[child],
    )  # fmt: skip
    yield f"sentinel://:{password}@127.0.0.1:{port}/{valkey.path.lstrip('/')}"
    child.stop()


def test_a_message_goes_by_the_valkey_that_the_sentinel_names(sentinel: str) -> None:
    options = {
        **settings.CELERY_BROKER_TRANSPORT_OPTIONS,
        "sentinel_kwargs": {"password": urlsplit(settings.REDIS_URL).password},
    }
    with Connection(sentinel, transport_options=options) as connection:
        queue = connection.SimpleQueue("by-sentinel")
        queue.put("ding")
        message = queue.get(timeout=10)
        message.ack()
        assert message.payload == "ding"
        queue.close()
