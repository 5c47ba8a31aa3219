"""manage.py read_import: shows what is understood of a benchmark's output, without a database."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand

from apps.intake.importers import UnreadableError, as_document, read_output
from apps.intake.importers.limits import OUTPUT_BYTES_MAX
from apps.intake.importers.tools import tools_and_formats
from apps.intake.services.understood import understood
from apps.runs.imported.judgement import floor_of_family, judge_output
from apps.runs.models import Run

if TYPE_CHECKING:
    from argparse import ArgumentParser

STANDARD_INPUT = "-"


class Command(BaseCommand):
    """Prints one JSON object: what was read, or an `error` that says what to do."""

    help = f"Print as JSON what is understood of a benchmark's output: {tools_and_formats()}."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the file."""
        parser.add_argument("file", help="the output of a benchmark; - reads standard input")

    def handle(self, *_args: Any, file: str, **_options: Any) -> None:
        """Read and print; ends with status 1 where nothing was understood."""
        try:
            read = as_document(read_output(first_bytes(file)))
            judged = judge_output(read, run=Run(), floor=floor_of_family(None))
            document = understood(read, judged.labels)
        except UnreadableError as error:
            document = {"error": str(error)}
        except OSError as error:
            document = {"error": f"cannot read {file}: {error.strerror}"}
        self.stdout.write(json.dumps(document, indent=2, ensure_ascii=False))
        if "error" in document:
            raise SystemExit(1)


def first_bytes(file: str) -> bytes:
    """Return at most one byte more of a file than is allowed."""
    if file == STANDARD_INPUT:
        return sys.stdin.buffer.read(OUTPUT_BYTES_MAX + 1)
    with Path(file).open("rb") as opened:
        return opened.read(OUTPUT_BYTES_MAX + 1)
