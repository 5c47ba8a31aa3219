"""The currencies of the pages, and the rates by which amounts are converted.

The rates are the euro reference rates of the European Central Bank: how much of each currency one
euro is worth. Its file (eurofxref-hist, CSV or a ZIP of it) has every working day since 1999, the
newest first. An empty cell and "N/A" mean that there is no rate.
"""

from __future__ import annotations

import csv
import io
import zipfile
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

EURO: Final = "EUR"
# The currencies that pages offer, and the sign before an amount. Without a sign, the code comes
# after the amount. List prices may be in any other currency too.
CURRENCY_SIGNS: Final = {EURO: "€", "USD": "$", "GBP": "£", "CHF": "", "CNY": ""}
# Currencies without a smaller unit (ISO 4217): their amounts are written without decimals.
WITHOUT_CENTS: Final = frozenset({
    "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "VND", "VUV",
    "XAF", "XOF", "XPF",
})  # fmt: skip
FILE_BYTES_MAX: Final = 32 << 20  # the whole history is 2 MB; more is another file
RATES_SINCE: Final = date(2026, 1, 1)  # older rates are not needed: the newest are used
CURRENCY_LETTERS: Final = 3
_NOT_STATED: Final = frozenset({"", "N/A"})
_ZIP_MAGIC: Final = b"PK\x03\x04"


class RatesError(ValueError):
    """The file is not that of the bank, or a currency has no rate; the text says what to do."""


@dataclass(frozen=True, slots=True)
class Rate:
    """How much of a currency one euro was worth on a working day."""

    day: date
    currency: str
    per_euro: Decimal


class RateTable:
    """The rates of the newest day among those given."""

    def __init__(self, rates: Iterable[Rate]) -> None:
        """Keep the rates of the newest day; currencies that ended before have none."""
        rates = list(rates)
        self.day: date | None = max((rate.day for rate in rates), default=None)
        self._per_euro = {rate.currency: rate.per_euro for rate in rates if rate.day == self.day}
        self._per_euro[EURO] = Decimal(1)

    @property
    def currencies(self) -> list[str]:
        """The currencies with a rate, in alphabetical order."""
        return sorted(self._per_euro)

    def per_euro(self, currency: str) -> Decimal:
        """Return how much of a currency one euro is worth. Raises RatesError without a rate."""
        try:
            return self._per_euro[currency]
        except KeyError:
            raise RatesError(
                f"There is no exchange rate for {currency}. Load the bank's newest file: "
                "manage.py load_rates eurofxref-hist.zip"
            ) from None

    def convert(self, amount: Decimal, *, source: str, target: str) -> Decimal:
        """Return an amount of `source` in `target`, through the euro as the bank does.

        Raises RatesError where one of them has no rate.
        """
        if source == target:
            return amount
        return amount / self.per_euro(source) * self.per_euro(target)


def read_rates(content: bytes) -> list[Rate]:
    """Return the rates of the bank's file from RATES_SINCE on, in the order of the file.

    Raises RatesError where it is not that file, with the line.
    """
    rows = csv.reader(io.StringIO(_text(content), newline=""))
    header = [cell.strip() for cell in next(rows, [])]
    currencies = header[1:]
    if header[:1] != ["Date"] or not any(map(is_code, currencies)):
        raise RatesError(
            "This is not the bank's file: its first line must begin with Date and name currencies. "
            "It is called eurofxref-hist.csv, or .zip."
        )
    return [rate for row in rows if row for rate in _rates_of(row, currencies, rows.line_num)]


def _rates_of(row: list[str], currencies: list[str], line: int) -> Iterator[Rate]:
    try:
        day = date.fromisoformat(row[0].strip())
        if day < RATES_SINCE:
            return
        for currency, cell in zip(currencies, row[1:], strict=False):
            if currency and cell.strip() not in _NOT_STATED:
                yield Rate(day, currency, _positive(cell))
    except (ValueError, InvalidOperation) as error:
        raise RatesError(f"Line {line} of the rates cannot be read: {error}") from None


def _positive(cell: str) -> Decimal:
    figure = Decimal(cell.strip())
    if not figure.is_finite() or figure <= 0:
        raise ValueError(f"{cell.strip()[:20]!r} is no rate")
    return figure


def decimals_of(currency: str) -> int:
    """Return with how many decimals amounts of a currency are written: none or two."""
    return 0 if currency in WITHOUT_CENTS else 2


def is_code(text: str) -> bool:
    """Whether a text has the form of a code of ISO 4217."""
    return len(text) == CURRENCY_LETTERS and text.isascii() and text.isupper()


def _text(content: bytes) -> str:
    if content.startswith(_ZIP_MAGIC):
        content = _unpacked(content)
    if len(content) > FILE_BYTES_MAX:
        raise RatesError(f"The file is larger than {FILE_BYTES_MAX >> 20} MiB: not the bank's.")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise RatesError(
            "The file is not text. It is called eurofxref-hist.csv, or .zip."
        ) from None


def _unpacked(content: bytes) -> bytes:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            names = [name for name in archive.namelist() if name.endswith(".csv")]
            if len(names) != 1:
                raise RatesError(f"The ZIP holds {len(names)} CSV files; the bank's holds one.")
            with archive.open(names[0]) as file:
                return file.read(FILE_BYTES_MAX + 1)
    except zipfile.BadZipFile:
        raise RatesError("The ZIP is damaged. Fetch it again.") from None
