"""Examines an installation: what is there, what is not as it must be, and what to do about it."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import get_connection
from django.db import DatabaseError, InterfaceError, connection
from django.db.migrations.recorder import MigrationRecorder
from kombu.exceptions import OperationalError as BrokerError
from redis import Redis
from redis.exceptions import RedisError

from apps.config.alive import FOLDER, FRESH_SECONDS, heartbeat_file
from apps.config.celery import app as celery_app
from apps.config.checks import check_database, check_deployment
from apps.config.edge.health import migrations_of_the_code
from apps.config.roles import Role
from apps.rankings.dumps.store import dump_age_seconds, dump_state
from apps.rankings.models import Dump
from apps.rankings.queue import poison_now, queue_now

SKEW_SECONDS_MAX: Final = 5.0  # proofs of second factors are good for half a minute
WAITING_SECONDS_MAX: Final = 600  # four attempts of an upload are over by then
FREE_BYTES_MIN: Final = 1 << 30
DUMP_SECONDS_MAX: Final = 36 * 3600  # one a day, which may take a while
PING_SECONDS: Final = 2.0  # a worker that is at work answers all the same


class Condition(StrEnum):
    """How it is: what is broken keeps the site from its work, what is weak does not yet."""

    GOOD = "good"
    WEAK = "weak"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What was looked at, how it is, and what to do where that is something."""

    name: str
    condition: Condition
    found: str
    advice: str = ""


def good(name: str, found: str) -> Diagnosis:
    return Diagnosis(name, Condition.GOOD, found)


def weak(name: str, found: str, advice: str) -> Diagnosis:
    return Diagnosis(name, Condition.WEAK, found, advice)


def broken(name: str, found: str, advice: str) -> Diagnosis:
    return Diagnosis(name, Condition.BROKEN, found, advice)


def examine() -> Iterator[Diagnosis]:
    """Look at everything; what needs the database is left out where there is none."""
    yield from _settings()
    yield _static_files()
    yield _disk()
    yield _mail()
    yield _valkey()
    yield _worker()
    yield _sweeper()
    database = _database()
    yield database
    if database.condition is Condition.BROKEN:
        return
    looks: tuple[Callable[[], Diagnosis], ...] = (
        _role, _durability, _migrations, _extension, _clock, _waiting, _poison, _dump,
    )  # fmt: skip
    for look in looks:
        yield look()


def _settings() -> Iterator[Diagnosis]:
    """What `check --deploy` says of the address, the secret, the contact and the proxies."""
    length = len(settings.SECRET_KEY)
    if length < settings.SECRET_KEY_CHARACTERS_MIN:
        yield broken(
            "secret key", f"SECRET_KEY has {length} characters",
            'python3 -c "import secrets; print(secrets.token_urlsafe(48))" prints a good one.',
        )  # fmt: skip
    host = str(urlsplit(settings.SITE_URL).hostname)
    if not {host, "*"} & set(settings.ALLOWED_HOSTS):
        yield broken(
            "host names", f"ALLOWED_HOSTS has no {host}, the host of SITE_URL",
            f"Add {host} to ALLOWED_HOSTS, or leave that unset.",
        )  # fmt: skip
    messages = check_deployment()
    for message in messages:
        judge = broken if message.is_serious() else weak
        yield judge(f"settings {message.id}", message.msg, message.hint or "")
    if not messages:
        yield good("settings", f"{settings.SITE_URL}, {settings.TRUSTED_PROXY_HOPS} proxies")


def _static_files() -> Diagnosis:
    if not settings.STATIC_ROOT:
        return good("static files", "from the source tree")
    if (Path(settings.STATIC_ROOT) / "staticfiles.json").exists():
        return good("static files", settings.STATIC_ROOT)
    return broken(
        "static files", f"there are none in {settings.STATIC_ROOT}",
        "Run manage.py collectstatic with this STATIC_ROOT.",
    )  # fmt: skip


def _disk() -> Diagnosis:
    """Space where this process writes; that of the database lies where its server runs."""
    places = {tempfile.gettempdir(), str(settings.BASE_DIR)}
    free = {place: shutil.disk_usage(place).free for place in places}
    place, least = min(free.items(), key=lambda each: each[1])
    found = f"{least / 1e9:.1f} GB free at {place}"
    if least < FREE_BYTES_MIN:
        return weak("disk space", found, "Free some; look at the disk of the database as well.")
    return good("disk space", found)


def _mail() -> Diagnosis:
    if not settings.EMAIL_BACKEND.endswith("smtp.EmailBackend"):
        where = getattr(settings, "EMAIL_FILE_PATH", None) or settings.EMAIL_BACKEND
        return weak("mail", f"goes into {where}", "Set EMAIL_URL, or nobody can sign up.")
    try:
        with get_connection():
            return good("mail", f"{settings.EMAIL_HOST} takes it")
    except OSError as error:  # SMTPException is one
        return broken("mail", f"{settings.EMAIL_HOST}: {error}", "Correct EMAIL_URL.")


def _valkey() -> Diagnosis:
    try:
        with Redis.from_url(settings.CACHES["default"]["LOCATION"], socket_timeout=2) as valkey:
            policy = _policy_of(valkey)
    except RedisError as error:
        return broken("Valkey", str(error), "Start Valkey or Redis, or correct REDIS_URL.")
    if policy != "noeviction":
        return broken(
            "Valkey", f"maxmemory-policy is {policy}",
            "Set maxmemory-policy noeviction: a doorbell or a count that is evicted is lost.",
        )  # fmt: skip
    return good("Valkey", "answers, evicts nothing")


def _policy_of(valkey: Any) -> str:
    """By INFO, which managed services allow, as they do not CONFIG."""
    return str(valkey.info("memory").get("maxmemory_policy", "unknown"))


def _worker() -> Diagnosis:
    """Whether any worker of this installation's queue hears a ping."""
    try:
        inspected = celery_app.control.inspect(timeout=PING_SECONDS).active_queues() or {}
    except (OSError, RedisError, BrokerError) as error:
        return broken("worker", f"not asked: {error}", "See Valkey.")
    queue = settings.CELERY_TASK_DEFAULT_QUEUE
    names = sorted(n for n, queues in inspected.items() if queue in {q["name"] for q in queues})
    if names:
        return good("worker", ", ".join(names))
    return broken(
        "worker", f"none answers on the queue {queue}",
        "Start it; meanwhile the sweeper does its work. See Without containers, or compose.",
    )  # fmt: skip


def _sweeper() -> Diagnosis:
    file = heartbeat_file(Role.SWEEPER, os.environ.get(FOLDER, ""))
    if file is None:
        return weak("sweeper", f"{FOLDER} is not set", "Set it for the sweeper and for me.")
    if not file.exists():
        return broken("sweeper", f"there is no {file}", "Start the sweeper: boards stand still.")
    age = time.time() - file.stat().st_mtime
    if age > FRESH_SECONDS:
        return broken("sweeper", f"last seen {age:.0f} s ago", "Start it again; read its log.")
    return good("sweeper", f"seen {age:.0f} s ago")


def _database() -> Diagnosis:
    try:
        version = _value("SHOW server_version")
    except (DatabaseError, InterfaceError) as error:
        return broken("database", str(error).strip(), "Start PostgreSQL, or correct DATABASE_URL.")
    return good("database", f"PostgreSQL {version}")


def _role() -> Diagnosis:
    role, is_super = _row(
        "SELECT current_user, rolsuper FROM pg_roles WHERE rolname = current_user"
    )
    if is_super:
        return broken(
            "role", f"{role} is a superuser",
            "Let a role without it own the database: docker/make-role.sh makes one.",
        )  # fmt: skip
    return good("role", f"{role}, no superuser")


def _durability() -> Diagnosis:
    messages = check_database(databases=["default"])
    wrong = [name for name in ("fsync", "full_page_writes") if _value(f"SHOW {name}") == "off"]
    if wrong:
        return broken("commits", f"{', '.join(wrong)} off", "Turn it on: a power cut loses runs.")
    if messages:
        return broken("commits", messages[0].msg, messages[0].hint or "")
    return good("commits", "wait for the medium")


def _migrations() -> Diagnosis:
    applied = MigrationRecorder(connection).applied_migrations().keys()
    if missing := migrations_of_the_code() - applied:
        return broken("migrations", f"{len(missing)} are missing", "Run manage.py migrate.")
    ours = {app for app, _ in migrations_of_the_code()}
    if newer := [
        f"{app}.{name}" for app, name in applied - migrations_of_the_code() if app in ours
    ]:
        return weak(
            "migrations", f"the database is newer: {', '.join(sorted(newer))}",
            "Run the version of the program that made it.",
        )  # fmt: skip
    return good("migrations", f"{len(applied)} applied")


def _extension() -> Diagnosis:
    if _row("SELECT FROM pg_extension WHERE extname = 'pg_trgm'") is None:
        return broken(
            "extension", "there is no pg_trgm", "CREATE EXTENSION pg_trgm, for the search."
        )
    return good("extension", "pg_trgm")


def _clock() -> Diagnosis:
    before = time.time()
    theirs = float(_value("SELECT extract(epoch FROM clock_timestamp())"))
    skew = abs(theirs - (before + time.time()) / 2)
    found = f"{skew:.1f} s from the database's"
    if skew > SKEW_SECONDS_MAX:
        return broken("clock", found, "Let NTP set both clocks: second factors depend on them.")
    return good("clock", found)


def _waiting() -> Diagnosis:
    queue = queue_now()
    found = f"{queue.waiting} uploads, the oldest for {queue.oldest_seconds:.0f} s"
    if queue.oldest_seconds > WAITING_SECONDS_MAX:
        return broken("waiting uploads", found, "See worker and sweeper; read their logs.")
    return good("waiting uploads", found)


def _poison() -> Diagnosis:
    poison = poison_now()
    if poison:
        return weak("poison", f"{poison} uploads", "Read their errors at /staff/runs/upload/.")
    return good("poison", "none")


def _row(statement: str) -> Any:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return cursor.fetchone()


def _value(statement: str) -> Any:
    return _row(statement)[0]


def _dump() -> Diagnosis:
    """Whether the dump of the day is there: what others download, and not what is restored."""
    if not settings.DUMPS:
        return good("dump", "none is written: no DUMPS_FOLDER, no DUMPS_BUCKET")
    age = dump_age_seconds()
    found = "there is none yet" if age is None else f"the newest is {age / 3600:.0f} h old"
    if dump_state().has_failed:
        last = Dump.objects.order_by("begun_at").last()
        why = last.error if last and last.error else "it was broken off"
        return weak("dump", f"{found}; the last try failed: {why}", "It is tried again each hour.")
    if age is not None and age > DUMP_SECONDS_MAX:
        return weak("dump", found, "A worker writes one a day: look whether one is there.")
    return good("dump", found)
