"""A folder of its own in which the dumps of a test lie."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.conf import settings
from django.test import override_settings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def dumps_folder(tmp_path: Path) -> Iterator[Path]:
    """Where dumps are kept meanwhile: a folder that is empty."""
    of_files = {"BACKEND": "django.core.files.storage.FileSystemStorage"}
    dumps = of_files | {"OPTIONS": {"location": tmp_path}}
    with override_settings(STORAGES={**settings.STORAGES, "dumps": dumps}):
        yield tmp_path
