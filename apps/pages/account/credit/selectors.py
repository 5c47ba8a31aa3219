"""Reads which names are those of companies."""

from __future__ import annotations

from apps.drives.models import DriveFamily
from apps.plans.models import Provider
from apps.plans.naming import PROVIDER_ALIASES, slug_of


def names_of_others() -> set[str]:
    """Return the providers and makers of the catalogue, as addresses spell them: two queries."""
    makers = DriveFamily.objects.values_list("vendor", flat=True).distinct()
    providers = Provider.objects.values_list("slug", flat=True)
    return {*providers, *PROVIDER_ALIASES, *(slug_of(each) for each in makers)} - {""}
