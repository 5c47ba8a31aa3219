"""`manage.py recognise`: the drive family of a name, and how many names of a list are right."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from django.core.management.base import BaseCommand, CommandError

from apps.drives.catalogue import read_families
from apps.drives.models import DriveFamily
from apps.drives.recognition import Recogniser, current_recogniser, patterns_of

if TYPE_CHECKING:
    from django.core.management.base import CommandParser

COLUMNS: Final = ("model_string", "family")


class Command(BaseCommand):
    """A tool for editing drives.csv, which it reads instead of the database."""

    help = (
        "Name the drive family behind each string (vendor and model, as lsblk prints them), or "
        "check a list of strings whose families are known."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the strings, the list and where the patterns come from."""
        parser.add_argument("string", nargs="*", help="what a drive calls itself: 'HC Volume'")
        parser.add_argument(
            "--csv",
            dest="path",
            type=Path,
            help="check a file with the columns model_string and family (blank: no family knows "
            'it), and print {"right","missed","wrong","misses":[...]}',
        )
        parser.add_argument(
            "--database",
            action="store_true",
            help="use the patterns of this server, those that staff wrote included",
        )

    def handle(
        self, *_args: Any, string: list[str], path: Path | None, database: bool, **_options: Any
    ) -> None:
        """Print a line a string, or one JSON object for a list."""
        if not string and path is None:
            raise CommandError("Give one or more strings, or --csv FILE.")
        families = list(DriveFamily.objects.all()) if database else read_families()
        names = {family.slug: family.name for family in families}
        recogniser = current_recogniser() if database else Recogniser(tuple(patterns_of(families)))
        for each in string:
            slug = recogniser.recognise(vendor="", model=each)
            self.stdout.write(f"{each}\t{names[slug] if slug else 'no family'}")
        if path is not None:
            self.stdout.write(json.dumps(check(read_list(path), recogniser, names)))


def read_list(path: Path) -> list[tuple[str, str]]:
    """Return (string, family) pairs of a file. Raises CommandError for any other file."""
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            rows = csv.DictReader(file, strict=True)
            if not set(COLUMNS) <= set(rows.fieldnames or ()):
                raise CommandError(f"{path}: the first line must name {' and '.join(COLUMNS)}.")
            return [(row["model_string"] or "", (row["family"] or "").strip()) for row in rows]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise CommandError(f"{path} cannot be read as a list: {error}") from error


def check(
    rows: list[tuple[str, str]], recogniser: Recogniser, names: dict[str, str]
) -> dict[str, object]:
    """Compare recognised with expected families: none is missed, another one is wrong."""
    counts = {"right": 0, "missed": 0, "wrong": 0}
    misses = []
    for text, family in rows:
        slug = recogniser.recognise(vendor="", model=text)
        family_name = names[slug] if slug else ""
        outcome = "right" if family_name == family else "wrong" if family_name else "missed"
        counts[outcome] += 1
        if outcome != "right":
            misses.append(
                {"model_string": text, "family": family, "found": family_name, "outcome": outcome}
            )
    return {**counts, "misses": misses}
