"""Addresses of the upload API, included last of all: the last one takes every other /api/."""

from django.urls import path

from apps.intake import import_views, key_views, views

app_name = "intake"

urlpatterns = [
    path("api/v1/keys/<str:keyid>", key_views.key, name="key"),
    path("api/v1/keys/<str:keyid>/rotation", key_views.post_rotation, name="rotation"),
    path("api/v1/key-logins", key_views.post_login, name="key-logins"),
    path("api/v1/key-logins/poll", key_views.post_login_poll, name="key-login-poll"),
    path("api/v1/runs/<str:run_id>/withdrawal", key_views.post_withdrawal, name="withdrawal"),
    path("api/v1/runs/<str:run_id>/placement", key_views.post_placement, name="placement"),
    path("api/v1/challenges", views.post_challenge, name="challenges"),
    path("api/v1/imports", import_views.post_import, name="imports"),
    path("api/<path:rest>", views.nothing_here),
]
