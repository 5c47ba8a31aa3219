"""Addresses of the badges: for ever, as strangers paste them into pages that nobody edits again.

A new form is added to the list of tests/badges/test_addresses.py too, and none is taken from it.
"""

from django.urls import path

from apps.badges import views
from apps.badges.figures import READERS

app_name = "badges"

urlpatterns = [
    path(f"badge/{kind}/<str:slug>.{form}", views.badge, {"kind": kind, "form": form}, name=name)
    for kind in READERS
    for form, name in (("svg", kind), ("png", f"{kind}-png"), ("json", f"{kind}-json"))
]
