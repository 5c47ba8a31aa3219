"""Loads the catalogue that ships with the product: ladder, drives, plans, prices, published runs.

Rows that left the catalogue are removed where nothing refers to them; what people claimed
themselves (plans that are not listed) is never touched.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from django.db import models, transaction
from django.db.models import Q

import apps.drives.catalogue
import apps.plans.catalogue
import apps.runs.published
import apps.runs.rules
import apps.stats
from apps.drives.models import DriveFamily, LadderClass
from apps.drives.services import check_catalogue, let_patterns_give_way
from apps.plans.catalogue import price_key, read_providers
from apps.plans.models import Plan, Price, Provider
from apps.plans.notes import with_stored_notes
from apps.plans.rates import shipped_rates, store_rates
from apps.rankings.models import CatalogueLoad, Standing
from apps.rankings.services import hold_all_standings, refresh_all
from apps.runs.models import Level, Run
from apps.runs.renaming import recognise_again, work_stale_runs_again
from apps.runs.services import hold_all_runs
from apps.wire.judgement import JUDGEMENT_FILE

if TYPE_CHECKING:
    from collections.abc import Sequence

Row = TypeVar("Row", bound=models.Model)

_DATA_FOLDERS: Final = (
    apps.drives.catalogue.DATA,
    apps.plans.catalogue.DATA,
    apps.runs.published.DATA,
)
_RULES: Final = Path(apps.runs.rules.__file__).parent
# A change of how the data is read must reach the database as a change of the data does.
_READER_FOLDERS: Final = (
    Path(apps.drives.catalogue.__file__).parent,
    Path(apps.plans.catalogue.__file__).parent,
    Path(apps.runs.published.__file__).parent,
    _RULES,
    *sorted(path for path in _RULES.iterdir() if path.is_dir()),
    Path(apps.stats.__file__).parent,
    Path(__file__).parent,
)


@dataclass(frozen=True, slots=True)
class CatalogueChange:
    """What a load did to one kind of row."""

    name: str
    total: int
    added: int
    changed: int
    removed: int
    kept: int = 0  # left the catalogue, but a run refers to it

    def __str__(self) -> str:
        """Return one line for a terminal."""
        kept = f", {self.kept} kept for the runs that name them" if self.kept else ""
        counts = f"{self.added} new, {self.changed} changed, {self.removed} removed{kept}"
        return f"{self.name}: {self.total} ({counts})"


@dataclass(frozen=True, slots=True)
class CatalogueReport:
    """What a load of the catalogue did."""

    changes: list[CatalogueChange]
    n_standings: int


def load_catalogue(*, force: bool = False) -> CatalogueReport | None:
    """Bring the database to the catalogue and compute all standings, in one transaction.

    Returns what changed, or None where the same catalogue is there already (`force` loads anyway).
    Raises AmbiguousPatternError or PatternError where two drive families would claim one name. Runs
    of drives that are called otherwise now, and those that an older normaliser made, are worked
    again after it.
    """
    digest = catalogue_digest()
    if not force and _is_loaded(digest):
        return None
    with transaction.atomic():
        hold_all_standings()
        hold_all_runs()  # before any row: a worker takes this lock first too
        if not force and _is_loaded(digest):
            return None  # another process was quicker
        changes = _load()
        refresh_all()
        recognise_again()
        transaction.on_commit(work_stale_runs_again)
        CatalogueLoad.objects.update_or_create(pk=1, defaults={"digest": digest})
        return CatalogueReport(changes, n_standings=Standing.objects.count())


def catalogue_digest() -> str:
    """Return the hexadecimal SHA-256 over the data files and the code that reads them."""
    digest = hashlib.sha256()
    files = [path for folder in _DATA_FOLDERS for path in folder.iterdir() if path.is_file()]
    files += [path for folder in _READER_FOLDERS for path in folder.glob("*.py")]
    files.append(JUDGEMENT_FILE)  # the ladder and the floors
    for path in sorted(files):
        content = path.read_bytes()
        digest.update(f"{path.parent.name}/{path.name}:{len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()


def _is_loaded(digest: str) -> bool:
    """Whether this catalogue was loaded last and its published runs are still there."""
    if not CatalogueLoad.objects.filter(digest=digest).exists():
        return False
    published = Run.objects.filter(level=Level.PUBLISHED).count()
    return published == len(apps.runs.published.read_published())


def _load() -> list[CatalogueChange]:
    listed = Plan.objects.filter(is_listed=True)
    families = apps.drives.catalogue.read_families()
    check_catalogue(families)
    slugs = [family.slug for family in families]
    shipped = DriveFamily.objects.filter(Q(is_shipped=True) | Q(slug__in=slugs))
    changes = [
        _sync("ladder classes", apps.drives.catalogue.read_ladder(), LadderClass.objects.all()),
        _sync("drive families", families, shipped),
        _sync("providers", with_stored_notes(read_providers()), Provider.objects.all()),
        _sync("plans", apps.plans.catalogue.read_plans(), listed),
        _sync_prices(apps.plans.catalogue.read_prices()),
    ]
    store_rates(shipped_rates())
    let_patterns_give_way(families)
    before = Run.objects.filter(level=Level.PUBLISHED).count()
    total = apps.runs.published.load_published(apps.runs.published.read_published())
    added, removed = max(total - before, 0), max(before - total, 0)
    changes.append(CatalogueChange("published runs", total, added, 0, removed))
    return changes


def _sync(name: str, wanted: Sequence[Row], present: models.QuerySet[Row]) -> CatalogueChange:
    """Make the rows of a table equal to the wanted ones, by primary key."""
    old = {row.pk: row for row in present}
    missing = [row for row in wanted if row.pk not in old]
    changed = [row for row in wanted if row.pk in old and _values(row) != _values(old[row.pk])]
    manager = present.model._default_manager
    if changed:
        fields = [field.name for field in present.model._meta.concrete_fields]
        manager.bulk_update(changed, [name for name in fields if name != _pk_name(present.model)])
    manager.bulk_create(missing)
    leftover = old.keys() - {row.pk for row in wanted}
    removed = sum(_removed(old[pk]) for pk in sorted(leftover))
    return CatalogueChange(
        name, len(wanted), len(missing), len(changed), removed, len(leftover) - removed
    )


def _removed(row: models.Model) -> bool:
    try:
        row.delete()
    except models.ProtectedError:
        return False
    return True


# What a load may change of a price; the rest makes it that price.
PRICE_FACTS: Final = ("setup_fee", "unit", "term_months", "kind", "source", "is_shipped")


def _sync_prices(wanted: Sequence[Price]) -> CatalogueChange:
    """Make the shipped prices equal to the wanted ones; those that stay keep their rows.

    A price that was added here stays, and becomes a shipped one where the catalogue has it too.
    """
    old = {price_key(price): price for price in Price.objects.all()}
    new = {price_key(price): price for price in wanted}
    left = [old[key].pk for key in old.keys() - new.keys() if old[key].is_shipped]
    Price.objects.filter(pk__in=left).delete()
    Price.objects.bulk_create(new[key] for key in new if key not in old)
    changed = []
    for key in new.keys() & old.keys():
        new[key].pk = old[key].pk
        if _values(new[key]) != _values(old[key]):
            changed.append(new[key])
    if changed:
        Price.objects.bulk_update(changed, PRICE_FACTS)
    added = len(new.keys() - old.keys())
    return CatalogueChange("prices", len(new), added, len(changed), len(left))


def _values(row: models.Model) -> dict[str, object]:
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


def _pk_name(model: type[models.Model]) -> str:
    return model._meta.pk.name
