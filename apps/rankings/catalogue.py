"""Loads the catalogue that ships with the product: ladder, drives, plans, prices, published runs.

Rows that left the catalogue are removed unless something refers to them. Plans that are not listed,
which people claimed themselves, are never touched.
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
from apps.drives.models import DriveFamily, FamilySource, LadderClass
from apps.drives.services import check_catalogue, let_patterns_give_way
from apps.plans.catalogue import price_key, read_providers
from apps.plans.models import Plan, Price, Provider
from apps.plans.notes import with_stored_notes
from apps.plans.prices.rates import shipped_rates, store_rates
from apps.rankings.models import CatalogueLoad, Standing
from apps.rankings.services import hold_all_standings, refresh_all
from apps.runs.models import Level, Run
from apps.runs.published.services import DATA as PUBLISHED_DATA
from apps.runs.published.services import load_published, read_published
from apps.runs.services import hold_all_runs
from apps.runs.stale_runs import recognise_again, work_stale_runs_again
from apps.wire.judgement import JUDGEMENT_FILE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

AnyModel = TypeVar("AnyModel", bound=models.Model)

_APPS: Final = Path(__file__).parents[1]
_DATA_FOLDERS: Final = (apps.drives.catalogue.DATA, apps.plans.catalogue.DATA, PUBLISHED_DATA)
# A change of the code that reads the data must reach the database, like a change of the data.
_READERS: Final = ("drives", "plans", "runs", "stats", "rankings")


@dataclass(frozen=True, slots=True)
class CatalogueChange:
    """What a load did to one kind of row."""

    name: str
    total: int
    added: int
    changed: int
    removed: int
    retained: int = 0  # rows that left the catalogue, but to which a run refers

    def __str__(self) -> str:
        """Return one line for a terminal."""
        retained = f", {self.retained} kept for the runs that name them" if self.retained else ""
        counts = f"{self.added} new, {self.changed} changed, {self.removed} removed{retained}"
        return f"{self.name}: {self.total} ({counts})"


@dataclass(frozen=True, slots=True)
class CatalogueReport:
    """What a load of the catalogue did."""

    changes: list[CatalogueChange]
    n_standings: int


def load_catalogue(*, force: bool = False) -> CatalogueReport | None:
    """Bring the database to the catalogue and compute all standings, in one transaction.

    Returns what changed, or None if this catalogue is loaded already (`force` loads it anyway).
    Raises AmbiguousPatternError or PatternError where two drive families would claim one name.
    Afterwards the uploads of stale runs go back into the queue: those whose drives have another
    family now, and those of an older normaliser.
    """
    digest = digest_of(catalogue_files())
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


def catalogue_files() -> list[Path]:
    """Return the data files and the code that reads them, in one order everywhere."""
    data = [path for folder in _DATA_FOLDERS for path in folder.iterdir() if path.is_file()]
    code = [path for app in _READERS for path in (_APPS / app).rglob("*.py")]
    return sorted([*data, *code, JUDGEMENT_FILE])  # which has the ladder and the floors


def digest_of(files: Iterable[Path]) -> str:
    """Return the hexadecimal SHA-256 over the names and contents of files."""
    digest = hashlib.sha256()
    for path in files:
        content = path.read_bytes()
        digest.update(f"{path.parent.name}/{path.name}:{len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()


def _is_loaded(digest: str) -> bool:
    """Whether this catalogue was loaded last and its published runs are still there."""
    if not CatalogueLoad.objects.filter(digest=digest).exists():
        return False
    published = Run.objects.filter(level=Level.PUBLISHED).count()
    return published == len(read_published())


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
    FamilySource.objects.all().delete()
    FamilySource.objects.bulk_create(apps.drives.catalogue.read_sources())
    store_rates(shipped_rates())
    let_patterns_give_way(families)
    before = Run.objects.filter(level=Level.PUBLISHED).count()
    total = load_published(read_published())
    added, removed = max(total - before, 0), max(before - total, 0)
    changes.append(CatalogueChange("published runs", total, added, 0, removed))
    return changes


def _sync(
    name: str, shipped: Sequence[AnyModel], present: models.QuerySet[AnyModel]
) -> CatalogueChange:
    """Make the rows of a table equal to the shipped ones, by primary key."""
    stored = {row.pk: row for row in present}
    missing = [row for row in shipped if row.pk not in stored]
    changed = [
        row for row in shipped if row.pk in stored and _values(row) != _values(stored[row.pk])
    ]
    manager = present.model._default_manager
    if changed:
        fields = [field.name for field in present.model._meta.concrete_fields]
        manager.bulk_update(changed, [name for name in fields if name != _pk_name(present.model)])
    manager.bulk_create(missing)
    leftover = stored.keys() - {row.pk for row in shipped}
    removed = sum(_removed(stored[pk]) for pk in sorted(leftover))
    return CatalogueChange(
        name, len(shipped), len(missing), len(changed), removed, len(leftover) - removed
    )


def _removed(row: models.Model) -> bool:
    try:
        row.delete()
    except models.ProtectedError:
        return False
    return True


# The columns of a price that a load may change; the others identify it.
PRICE_FACTS: Final = ("setup_fee", "unit", "term_months", "kind", "source", "is_shipped")


def _sync_prices(shipped: Sequence[Price]) -> CatalogueChange:
    """Make the shipped prices of the table equal to those of the catalogue.

    Prices that are in both keep their rows. A price that staff added stays, and becomes a shipped
    one if the catalogue has it too.
    """
    stored = {price_key(price): price for price in Price.objects.all()}
    new = {price_key(price): price for price in shipped}
    removed_keys = [stored[key].pk for key in stored.keys() - new.keys() if stored[key].is_shipped]
    Price.objects.filter(pk__in=removed_keys).delete()
    Price.objects.bulk_create(new[key] for key in new if key not in stored)
    changed = []
    for key in new.keys() & stored.keys():
        new[key].pk, new[key].is_disputed = stored[key].pk, stored[key].is_disputed
        if _values(new[key]) != _values(stored[key]):
            changed.append(new[key])
    if changed:
        Price.objects.bulk_update(changed, PRICE_FACTS)
    added = len(new.keys() - stored.keys())
    return CatalogueChange("prices", len(new), added, len(changed), len(removed_keys))


def _values(row: models.Model) -> dict[str, object]:
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


def _pk_name(model: type[models.Model]) -> str:
    return model._meta.pk.name
