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
        parser.add_argument("file", type=Path, help="the columns of prices.csv, UTF-8")
        parser.add_argument(
            "--proposal", type=Path, help="where the proposal is written of a provider's own file"
        )
        parser.add_argument("--dry-run", action="store_true", help="check the file, store nothing")

    def handle(
        self, *_args: Any, file: Path, proposal: Path | None, dry_run: bool, **_options: Any
    ) -> None:
        """Add the prices that are new, or print every line that is wrong."""
        if file.suffix == ".json":
            self._propose(file, proposal)
            return
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

    def _propose(self, file: Path, proposal: Path | None) -> None:
        """Print what changed in a provider's own file, and write the prices for staff to read."""
        today = timezone.now().date()
        try:
            published = read_published(file.read_bytes())
        except (OSError, PublishedFileError) as error:
            raise CommandError(f"{file} was not taken: {error}") from None
        plans = Plan.objects.rentable().select_related("provider").prefetch_related(newest_prices())
        source = f"{file.name} of the provider, read on {today}"
        proposed = propose(published, plans=plans, today=today, source=source)
        for each in proposed:
            if each.change_percent:
                self.stdout.write(
                    f"{each.price.plan} {each.price.region or 'everywhere'}: "
                    f"{each.before.amount.normalize():f} -> {each.price.amount.normalize():f} "
                    f"{each.price.currency} a{'n' if each.price.period == 'hour' else ''} "
                    f"{each.price.period} ({each.change_percent:+} %)"
                )
        self.stdout.write(
            f"{len(proposed)} of {len(published)} prices are of plans here; nothing was stored."
        )
        if proposal is not None:
            proposal.write_text(proposal_file(proposed), encoding="utf-8")
            self.stdout.write(f"Read {proposal}, strike out what is wrong, and import it.")
