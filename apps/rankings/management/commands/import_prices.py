"""`manage.py import_prices FILE`: adds list prices from a CSV file, all of them or none.

Of what a provider publishes itself, in JSON, it makes such a file for staff to read, and adds none.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from apps.plans.models import Plan
from apps.plans.prices.files import PriceFileError, read_price_file
from apps.plans.prices.published import (
    PublishedFileError,
    proposal_file,
    propose,
    read_published,
)
from apps.plans.selectors import newest_prices
from apps.rankings.prices import add_prices

if TYPE_CHECKING:
    from django.core.management.base import CommandParser


class Command(BaseCommand):
    """Reads the whole file before it writes anything."""

    help = (
        "Add list prices from a CSV file, or propose them from a provider's JSON; docs/prices.md "
        "has the columns and the providers."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the file and --dry-run."""
        parser.add_argument(
            "files", type=Path, nargs="+", metavar="file",
            help="the columns of prices.csv, UTF-8; or all pages of a provider's list, JSON",
        )  # fmt: skip
        parser.add_argument(
            "--proposal", type=Path, help="where the proposal is written of a provider's own file"
        )
        parser.add_argument("--dry-run", action="store_true", help="check the file, store nothing")

    def handle(
        self, *_args: Any, files: list[Path], proposal: Path | None, dry_run: bool, **_options: Any
    ) -> None:
        """Add the prices that are new, or print every line that is wrong."""
        if all(file.suffix == ".json" for file in files):
            self._propose(files, proposal)
            return
        if len(files) > 1 or proposal is not None:
            raise CommandError(
                "A proposal, and several files at once, are of a provider's own JSON: its pages. "
                "Nothing was stored."
            )
        self._add(files[0], dry_run=dry_run)

    def _add(self, file: Path, *, dry_run: bool) -> None:
        try:
            text = file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise CommandError(f"{file} cannot be read as UTF-8 text: {error}") from None
        plans = set(Plan.objects.filter(is_listed=True).values_list("pk", flat=True))
        try:
            prices = read_price_file(text, plans=plans, today=timezone.now().date())
        except PriceFileError as error:
            raise CommandError(f"{file} was not taken:\n{error}") from None
        if dry_run:
            self.stdout.write(f"{len(prices)} prices can be read; nothing was stored.")
            return
        new = add_prices(prices)
        self.stdout.write(f"{len(new)} prices added, {len(prices) - len(new)} were known.")

    def _propose(self, files: list[Path], proposal: Path | None) -> None:
        """Print what changed in a provider's own file, and write the prices for staff to read."""
        today = timezone.now().date()
        try:
            published = read_published(file.read_bytes() for file in files)
        except (OSError, PublishedFileError) as error:
            names = ", ".join(map(str, files))
            raise CommandError(f"{names} was not taken: {error}") from None
        plans = Plan.objects.rentable().select_related("provider").prefetch_related(newest_prices())
        source = f"{files[0].name} of the provider, read on {today}"
        proposed = propose(published, plans=plans, today=today, source=source)
        for each in proposed:
            what = f"{each.price.plan} {each.price.region or 'everywhere'}"
            if len(each.amounts) > 1:
                amounts = ", ".join(f"{amount.normalize():f}" for amount in each.amounts)
                self.stdout.write(
                    f"{what}: {amounts} {each.price.currency} in one file, and none is proposed"
                )
            elif each.change_percent:
                self.stdout.write(
                    f"{what}: "
                    f"{each.before.amount.normalize():f} -> {each.price.amount.normalize():f} "
                    f"{each.price.currency} a{'n' if each.price.period == 'hour' else ''} "
                    f"{each.price.period} ({each.change_percent:+} %)"
                )
        self.stdout.write(
            f"{len(proposed)} of {len(published)} prices are of plans here; nothing was stored."
        )
        if proposal is not None:
            try:
                proposal.write_text(proposal_file(proposed), encoding="utf-8")
            except OSError as error:
                raise CommandError(f"{proposal} cannot be written: {error.strerror}") from None
            self.stdout.write(f"Read {proposal}, strike out what is wrong, and import it.")
