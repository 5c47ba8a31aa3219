"""Addresses of the upload API, included last of all: the last one takes every other /api/."""

from django.urls import path

from apps.intake import import_views, views

app_name = "intake"

urlpatterns = [
    path("api/v1/keys/<str:keyid>", views.put_key, name="key"),
    path("api/v1/challenges", views.post_challenge, name="challenges"),
    path("api/v1/imports", import_views.post_import, name="imports"),
    path("api/<path:rest>", views.nothing_here),
]
