"""Columns that hold packed values; Python sees the values, and no query looks into them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db.models import Field

from apps.runs.packed.packing import (
    BucketCounts,
    packed,
    packed_counts,
    unpacked,
    unpacked_counts,
)

if TYPE_CHECKING:
    AnyField = Field[Any, Any]
else:
    AnyField = Field  # only the stubs can be given types


class PackedJsonField(AnyField):
    """Lists, objects, texts and numbers, packed."""

    def get_internal_type(self) -> str:
        """Return the field whose type the column has."""
        return "BinaryField"

    def from_db_value(self, value: Any, *_: object) -> Any:
        """Return the value of a column."""
        return None if value is None else unpacked(bytes(value))

    def get_prep_value(self, value: Any) -> bytes | None:
        """Return what the column holds."""
        return None if value is None else packed(value)


class HistogramField(AnyField):
    """Buckets with their counts, packed; null where a source printed no histogram."""

    def get_internal_type(self) -> str:
        """Return the field whose type the column has."""
        return "BinaryField"

    def from_db_value(self, value: Any, *_: object) -> BucketCounts | None:
        """Return the histogram of a column."""
        return None if value is None else unpacked_counts(bytes(value))

    def get_prep_value(self, value: BucketCounts | None) -> bytes | None:
        """Return what the column holds."""
        return None if value is None else packed_counts(value)
