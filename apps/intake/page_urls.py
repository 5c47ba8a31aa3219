"""Addresses of the pages that take uploads, in every language."""

from django.urls import path

from apps.intake import import_views

app_name = "uploads"

urlpatterns = [path("import/", import_views.import_page, name="import")]
