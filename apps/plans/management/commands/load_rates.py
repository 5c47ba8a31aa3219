"""`manage.py load_rates FILE`: stores the euro reference rates of the bank's file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError

from apps.plans.prices.currencies import RatesError, read_rates
from apps.plans.prices.rates import current_rates, store_rates

if TYPE_CHECKING:
    from django.core.management.base import CommandParser


class Command(BaseCommand):
    """Reads the whole file before it writes anything."""

    help = "Store the exchange rates of the European Central Bank's eurofxref-hist.zip or .csv."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the file."""
        parser.add_argument("file", type=Path, help="as the bank publishes it, packed or not")

    def handle(self, *_args: Any, file: Path, **_options: Any) -> None:
        """Store the rates, and print how new they are."""
        try:
            rates = read_rates(file.read_bytes())
        except (OSError, RatesError) as error:
            raise CommandError(f"{file} was not taken: {error}") from None
        total = store_rates(rates)
        self.stdout.write(f"{total:,} exchange rates are stored, up to {current_rates().day}.")
