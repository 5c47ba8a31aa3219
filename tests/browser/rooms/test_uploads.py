"""Where is my run, in a real browser: the state of an upload moves on by itself."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, expect

from apps.runs.models import Upload
from tests import make
from tests.browser.scenes import measured_run
from tests.browser.test_site import assert_good_everywhere
from tests.support.browser import BrowserPage
from tests.support.live_site import LiveSite

pytestmark = pytest.mark.browser


def waiting_upload() -> Upload:
    """Return an upload that the worker of the live site leaves alone: its turn is tomorrow."""
    return make.upload(witnessed=True, next_attempt_at=timezone.now() + timedelta(days=1))


def test_the_run_that_was_uploaded_five_minutes_ago_is_found(browser_page: BrowserPage) -> None:
    upload = waiting_upload()
    page = browser_page.open("/uploads/")
    page.get_by_label("Run id or key id").fill(f"https://x.example/runs/{upload.run_id}/")
    page.get_by_role("button", name="Search").click()
    state = page.locator("#state")
    expect(state).to_contain_text("place 1 in the queue")
    browser_page.assert_accessible()
    waiting = Upload.objects.filter(pk=upload.pk)
    waiting.update(state=Upload.State.LEASED, attempts=1, lease_token=uuid.uuid4())
    expect(state).to_contain_text("attempt 1 of 5")
    run = make.run(id=upload.run_id, slug=str(upload.run_id), upload=upload)
    make.latency(measurement=make.measurement(run=run))
    waiting.update(state=Upload.State.DONE, lease_token=None)
    page.get_by_role("link", name="Open the run").click()
    expect(page.locator(".answer")).to_be_visible()


def test_every_answer_is_accessible_and_fits(browser_page: BrowserPage) -> None:
    run = measured_run()
    keyid = run.upload.key_id if run.upload else ""
    aside = make.upload(state=Upload.State.POISON, attempts=5)
    for asked in ("", "nothing", run.slug, keyid, str(aside.run_id), "0" * 64):
        assert_good_everywhere(browser_page, f"/uploads/?q={asked}")


def test_without_a_script_one_looks_again(chromium: Browser, live_site: LiveSite) -> None:
    upload = waiting_upload()
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{live_site.url}/uploads/?q={upload.run_id}")
    expect(page.locator("#state")).to_contain_text("place 1 in the queue")
    Upload.objects.filter(pk=upload.pk).update(state=Upload.State.POISON, attempts=5)
    page.get_by_role("link", name="Look again").click()
    expect(page.locator("#state")).to_contain_text("our fault")
    context.close()
