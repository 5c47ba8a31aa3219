"""Makes uploads with challenges of many keys, and sends them over connections that stay open.

It stores keys and challenges, so Django must be set up before this is imported.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from ipaddress import IPv4Address
from itertools import count
from typing import Any, Final
from urllib.parse import SplitResult, urlsplit

from django.utils import timezone

from apps.intake.examples.documents import document
from apps.intake.examples.world import visits
from apps.intake.models import Challenge
from apps.wire.dsse import CONTENT_TYPE, RUN_PAYLOAD_TYPE, seal
from apps.wire.seed import seed_proof
from tests.support.sent import Agent, as_bytes, uuid7

OF_A_KEY: Final = 40  # uploads: below its quota of an hour
NETWORK_HOSTS: Final = 256  # each upload comes from a /24 of its own, and none reaches its quota


@dataclass(frozen=True)
class Sent:
    """What became of uploads: how long each answer took, and all of them together."""

    took_s: list[float]
    elapsed_s: float

    @property
    def per_s(self) -> float:
        return len(self.took_s) / self.elapsed_s


class Uploads:
    """Requests that are new to the door: a run of the quick suite, each with a challenge."""

    def __init__(self, url: str) -> None:
        self.document = quick_document()
        self.address = urlsplit(url)
        self.networks = count(int(IPv4Address("11.0.0.1")), NETWORK_HOSTS)

    def requests(self, number: int) -> list[bytes]:
        """Return so many requests, after enrolling their keys and issuing their challenges."""
        agents = [Agent() for _ in range(1 + number // OF_A_KEY)]
        for agent in agents:
            agent.enrolled()
        made = [self._upload(agents[place // OF_A_KEY]) for place in range(number)]
        Challenge.objects.bulk_create(Challenge(**fields) for fields, _ in made)
        return [request for _, request in made]

    def send(
        self, requests: Sequence[bytes], *, connections: int, per_s: float | None = None
    ) -> Sent:
        """Send them, each client one after the other: as fast as it can, or so many a second.

        Where they are paced, the time of an answer counts from when its upload was due.
        """
        return asyncio.run(self._send(requests, connections, per_s))

    async def _send(self, requests: Sequence[bytes], connections: int, per_s: float | None) -> Sent:
        left, took_s = enumerate(requests), list[float]()
        began = time.perf_counter()
        clients = (_client(self.address, left, took_s, began, per_s) for _ in range(connections))
        await asyncio.gather(*clients)
        return Sent(took_s, time.perf_counter() - began)

    def _upload(self, agent: Agent) -> tuple[dict[str, Any], bytes]:
        run_id, challenge, seed = uuid7(), f"c_{secrets.token_hex(20)}", secrets.token_bytes(32)
        suite, now = self.document["suite"], timezone.now()
        fields = {
            "id": challenge, "key_id": agent.keyid, "run_id": run_id, "seed": seed,
            "suite": suite["id"], "suite_version": suite["version"], "network": "bench",
            "issued_at": now, "not_after": now + timedelta(hours=1),
        }  # fmt: skip
        answered = {"run_id": str(run_id), "challenge": challenge, "seed_proof": seed_proof(seed)}
        body = seal(
            as_bytes({**self.document, **answered}),
            payload_type=RUN_PAYLOAD_TYPE, keyid=agent.keyid, key=agent.signing_key,
        )  # fmt: skip
        head = (
            f"PUT /api/v1/runs/{run_id} HTTP/1.1\r\nHost: {self.address.netloc}\r\n"
            f"X-Forwarded-For: {IPv4Address(next(self.networks))}\r\n"
            f"Content-Type: {CONTENT_TYPE}\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        return fields, head.encode() + body


def quick_document() -> dict[str, Any]:
    """Return a run of the quick suite, as the first made-up visit with one sends it."""
    visit = next(each for each in visits(runs=100, until=timezone.now()) if each.suite == "quick")
    return document(visit, run_id=uuid7(), seed_proof=None, challenge=None)


async def _client(
    address: SplitResult,
    left: Iterator[tuple[int, bytes]],
    took_s: list[float],
    began: float,
    per_s: float | None,
) -> None:
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    for number, request in left:
        due = time.perf_counter() if per_s is None else began + number / per_s
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        writer.write(request)
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        at = head.index(b"content-length:") + len(b"content-length:")
        answer = await reader.readexactly(int(head[at : head.index(b"\r", at)]))
        took_s.append(time.perf_counter() - due)
        if not head.startswith(b"http/1.1 201"):
            raise ValueError(f"{head.splitlines()[0].decode()}: {json.loads(answer)}")
    writer.close()
