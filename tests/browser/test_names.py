"""Names that nobody knows, however long and however strange, in a real browser."""

from __future__ import annotations

import pytest

from apps.drives.models import DriveName
from apps.runs.models import Upload
from apps.runs.services import record_run
from tests import make
from tests.browser.test_site import assert_good_everywhere
from tests.support.browser import BrowserPage

pytestmark = pytest.mark.browser

LONGEST = "W" * 64


def test_unknown_names_are_accessible_and_fit(browser_page: BrowserPage) -> None:
    devices = [make.device(model=LONGEST, vendor="Y" * 64), make.device(model="ACME <Fast> 1TB")]
    upload = make.upload(make.payload(devices=devices), state="done")
    record_run(upload=Upload.objects.get(pk=upload.pk))
    key = DriveName.objects.get(model=LONGEST).key
    for address in ("/drives/unknown/", f"/drives/unknown/{key}/"):
        assert_good_everywhere(browser_page, address)
