"""What keeps a benchmark from being run."""

from __future__ import annotations

from apps.embedded.verbs import PlainError


class BenchmarkError(PlainError):
    """A benchmark cannot be run; the message says what to do."""
