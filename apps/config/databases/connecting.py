"""How each process talks to PostgreSQL: its limits, how long connections last, and a pooler."""

from __future__ import annotations

from typing import Any, Final

from apps.config.roles import Role

STATEMENT_TIMEOUT_MS: Final = {
    Role.WEB: 10_000,  # no reader waits longer for a page
    Role.WORKER: 60_000,  # normalising one run touches a few hundred rows
    Role.SWEEPER: 60_000,
    Role.COMMAND: 0,  # a rebuild of everything may take hours
}
IDLE_IN_TRANSACTION_MS: Final = 60_000  # no code of ours idles for a minute inside a transaction
CONNECTION_AGE_SECONDS: Final = 600  # a thread keeps one and replaces it every ten minutes
CONNECT_SECONDS: Final = 5


def limits_of(role: Role) -> dict[str, str]:
    """Return the settings that every session of a process has."""
    return {
        "statement_timeout": str(STATEMENT_TIMEOUT_MS[role]),
        "idle_in_transaction_session_timeout": str(IDLE_IN_TRANSACTION_MS),
        "synchronous_commit": "on",  # a 201 promises that the upload survives a power cut
    }


def connecting(database: dict[str, Any], role: Role, *, is_pooled: bool) -> dict[str, Any]:
    """Complete what Django needs to connect: a lasting connection, looked at before it is used.

    A pool of our own would wait for a database that is away, and longer and longer before it tries
    again: a thread that connects by itself fails at once, and succeeds with the first request that
    can.

    PgBouncer in transaction mode gives each transaction a session that others use too. It refuses
    `options`, so the limits stand in its own configuration, at a database for each process:
    docker/scale/pgbouncer.ini. A cursor of the server would not outlive its transaction.
    """
    options = database.setdefault("OPTIONS", {})
    options["connect_timeout"] = CONNECT_SECONDS
    options["application_name"] = f"fsyncmark-{role}"
    if is_pooled:
        database["NAME"] = f"{database['NAME']}-{role}"
        database["DISABLE_SERVER_SIDE_CURSORS"] = True
    else:
        limits = limits_of(role).items()
        options["options"] = " ".join(f"-c {name}={value}" for name, value in limits)
    if role is not Role.COMMAND:
        database["CONN_MAX_AGE"] = CONNECTION_AGE_SECONDS
    database["CONN_HEALTH_CHECKS"] = True
    return database
