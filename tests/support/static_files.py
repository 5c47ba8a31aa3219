"""The table of static files, made once a process.

Every test has a client with middleware of its own, and WhiteNoise reads the whole folder for each:
25 ms of CPU, a tenth of what a test of a page takes.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from whitenoise.middleware import WhiteNoiseMiddleware


@pytest.fixture(scope="session", autouse=True)
def static_files_are_read_once() -> Iterator[None]:
    """What the first middleware found serves those of all later clients."""
    read = WhiteNoiseMiddleware.add_files_from_finders
    files: dict[str, object] = {}

    def read_once(middleware: WhiteNoiseMiddleware) -> None:
        if not files:
            read(middleware)
            files.update(middleware.files)
        middleware.files.update(files)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(WhiteNoiseMiddleware, "add_files_from_finders", read_once)
        yield
