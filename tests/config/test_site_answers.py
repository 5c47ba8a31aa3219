"""The site is up: settings, database and headers work together."""

import pytest
from django.db import connection
from django.test import Client


@pytest.mark.django_db
def test_the_database_commits_synchronously() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SHOW synchronous_commit")
        assert cursor.fetchone() == ("on",)


@pytest.mark.django_db
def test_a_missing_page_carries_the_security_headers(client: Client) -> None:
    answer = client.get("/no-such-page/")
    assert answer.status_code == 404
    policy = set(answer["Content-Security-Policy"].split("; "))
    assert {"default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"} <= policy
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Permissions-Policy"].startswith("accelerometer=()")
