"""`manage.py make_networks FOLDER`: makes the table of providers' networks from lists of blocks."""

from __future__ import annotations

import csv
from collections import defaultdict
from ipaddress import ip_network
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError

from apps.plans.catalogue import read_providers
from apps.plans.networks import COLUMNS, NETWORKS_FILE, distinct

if TYPE_CHECKING:
    from django.core.management.base import CommandParser

    from apps.plans.networks import Network


class Command(BaseCommand):
    """Reads every list before it writes anything."""

    help = "Make the table of the providers' networks from lists of their blocks."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the folder and the file."""
        parser.add_argument(
            "folder", type=Path, help="of lists PROVIDER.ANYTHING.txt, a block on each line"
        )
        parser.add_argument(
            "--output", type=Path, default=NETWORKS_FILE, help="the table (default: the shipped)"
        )

    def handle(self, *_args: Any, folder: Path, output: Path, **_options: Any) -> None:
        """Write the table, and print how long it is."""
        providers = {provider.slug for provider in read_providers()}
        blocks: dict[str, list[Network]] = defaultdict(list)
        for path in sorted(folder.glob("*.txt")):
            provider = path.name.partition(".")[0]
            if provider not in providers:
                raise CommandError(
                    f"{path.name}: {provider} is no provider of plans.csv. Call the file after "
                    "the provider's address, such as hetzner.24940.txt."
                )
            blocks[provider] += read_blocks(path)
        rows = distinct(blocks)
        if not rows:
            raise CommandError(f"{folder} has no list with a block in it; nothing was written.")
        with output.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(COLUMNS)
            writer.writerows(rows)
        self.stdout.write(f"{len(rows):,} blocks of {len(blocks)} providers are in {output.name}.")


def read_blocks(path: Path) -> list[Network]:
    """Return the blocks of a list; blank lines and lines that begin with # are skipped.

    Raises CommandError for a line that is no block.
    """
    blocks: list[Network] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        try:
            blocks.append(ip_network(text))
        except ValueError as error:
            raise CommandError(f"{path.name}, line {number}: {error}") from None
    return blocks
