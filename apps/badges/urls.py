"""Addresses of badges and cards: for ever, as strangers paste them where nobody edits again.

A new form is added to the list of tests/badges/test_addresses.py too, and none is taken from it.
"""

from django.urls import path

from apps.badges import views
from apps.badges.cards import views as cards
from apps.badges.figures import CARD_KINDS, READERS

app_name = "badges"
ENDS = {"html": "/", "svg": ".svg", "png": ".png"}  # of the forms of a card

urlpatterns = [
    *(
        path(
            f"badge/{kind}/<str:slug>.{form}", views.badge, {"kind": kind, "form": form}, name=name
        )
        for kind in READERS
        for form, name in (("svg", kind), ("png", f"{kind}-png"), ("json", f"{kind}-json"))
    ),
    *(
        path(
            f"embed/{kind}/<str:slug>{end}",
            cards.card,
            {"kind": kind, "form": form},
            name=f"card-{kind}" if form == "html" else f"card-{kind}-{form}",
        )
        for kind in CARD_KINDS
        for form, end in ENDS.items()
    ),
    *(
        path(
            f"embed/compare{end}",
            cards.compare_card,
            {"form": form},
            name="card-compare" if form == "html" else f"card-compare-{form}",
        )
        for form, end in ENDS.items()
    ),
    path("oembed", cards.oembed_card, name="oembed"),
]
