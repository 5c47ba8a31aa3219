"""What one cell of a table holds: a figure in lines, and what must be said below it."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.safestring import SafeString


@dataclass(frozen=True, slots=True)
class TableCell:
    """One cell: what it is called on a card, its figure, and the lines below it."""

    key: str
    name: str
    main: SafeString | str
    lines: tuple[str, ...] = ()
    whose: str = ""  # a name, where the figure is not the row's own
    is_missing: bool = False
    is_old: bool = False
    is_gone: bool = False  # what it rests on is known not to hold any more
    is_text: bool = False
    is_strong: bool = False

    @property
    def looks(self) -> str:
        """Classes of the figure: how strong it stands in the row, and whether it still holds."""
        strength = "" if self.is_strong else "soft"
        is_dim = self.is_old or self.is_gone
        return f"{strength} {'none' if self.is_missing else 'old' if is_dim else ''}".strip()
