"""The catalogue that tests copy into place is the one that was loaded, and can be added to."""

from __future__ import annotations

import pytest
from django.apps import apps
from django.core.management import call_command

from apps.plans.models import Plan, Price
from apps.rankings.catalogue import load_catalogue
from apps.rankings.models import Standing
from tests import make
from tests.support.catalogue import store_catalogue

pytestmark = pytest.mark.django_db


def every_row() -> dict[str, list[str]]:
    ours = [model for model in apps.get_models() if model.__module__.startswith("apps.")]
    return {
        model._meta.label: sorted(map(repr, model._default_manager.values_list())) for model in ours
    }


@pytest.mark.django_db(transaction=True)
def test_what_is_copied_back_is_what_was_loaded() -> None:
    store_catalogue()
    loaded = every_row()
    assert Standing.objects.count() > 50
    assert load_catalogue() is None  # it knows the catalogue as its own
    for _ in range(2):
        call_command("flush", interactive=False)
        assert not Plan.objects.exists()
        store_catalogue()
        assert every_row() == loaded
    highest = Standing.objects.latest("pk").pk
    assert make.standing().pk > highest  # though the emptied table counted from 1 again


def test_new_rows_get_numbers_of_their_own() -> None:
    store_catalogue()
    before = Price.objects.count()
    make.price(plan=Plan.objects.all()[0])
    make.run()
    assert Price.objects.count() == before + 1
