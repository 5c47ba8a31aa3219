"""Addresses of files: they speak no language, so they stand at one address each."""

from django.urls import path

from apps.pages import references
from apps.pages.views import runs, site

app_name = "files"

urlpatterns = [
    path("runs/<slug:slug>/envelope.json", runs.run_envelope, name="run-envelope"),
    path("measure/download/<str:name>", site.download, name="download"),
    path("schemas/run.v1.schema.json", references.schema_run_v1, name="schema-run-v1"),
    path("favicon.ico", references.favicon, name="favicon"),
]
