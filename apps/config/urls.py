"""Every address of the site; each app lists its own."""

from __future__ import annotations

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("apps.pages.urls")),
    path("", include("apps.badges.urls")),
    path("staff/", admin.site.urls),
    path("", include("apps.api.urls")),
    path("", include("apps.intake.urls")),  # last: it answers every other /api/ address
]
