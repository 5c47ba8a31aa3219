"""Addresses of a signed-in person below account/, beside those of allauth."""

from django.urls import path

from apps.pages.account import (
    data_views,
    email_views,
    key_views,
    machine_views,
    run_views,
    views,
)
from apps.pages.account.credit import name_views, ticket_views

urlpatterns = [
    path("", views.account, name="account"),
    path("keys/<slug:keyid>/", key_views.key, name="account-key"),
    path("keys/<slug:keyid>/release/", key_views.release, name="account-key-release"),
    path("keys/<slug:keyid>/revoke/", key_views.revoke, name="account-key-revoke"),
    path("machines/<slug:machine>/", machine_views.machine, name="account-machine"),
    path("runs/", run_views.runs, name="account-runs"),
    path("runs/<uuid:run_id>/", run_views.run, name="account-run"),
    path("runs/<uuid:run_id>/withdraw/", run_views.withdraw, name="account-run-withdraw"),
    path("runs/<uuid:run_id>/hide/", run_views.hide, name="account-run-hide"),
    path("runs/<uuid:run_id>/undo/<slug:kind>/", run_views.undo, name="account-run-undo"),
    path("tickets/", ticket_views.tickets, name="account-tickets"),
    path("tickets/<int:pk>/end/", ticket_views.end, name="account-ticket-end"),
    path("badge/", name_views.badge, name="account-badge"),
    path("data/", data_views.data, name="account-data"),
    path("data/export/", data_views.export, name="account-export"),
    path("data/delete/", data_views.delete, name="account-delete"),
    path("email/", email_views.AddressView.as_view(), name="email"),  # before allauth's own
    path("email/change/stop/", email_views.stop, name="email-change-stop"),
    path("email/change/finish/", email_views.finish, name="email-change-finish"),
    path("email/change/<str:token>/", email_views.answer, name="email-change"),
]
