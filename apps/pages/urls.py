"""Addresses of the pages: for ever, as people link to them."""

from django.urls import path

from apps.pages import references
from apps.pages.views import boards, names, rules, runs, site

app_name = "pages"

urlpatterns = [
    path("", boards.home, name="home"),
    path("plans/", boards.plans, name="plans"),
    path("plans/<slug:slug>/", boards.plan, name="plan"),
    path("providers/", boards.providers, name="providers"),
    path("providers/<slug:slug>/", boards.provider, name="provider"),
    path("drives/", boards.drives, name="drives"),
    path("drives/unknown/", names.unknown_drives, name="unknown-drives"),
    path("drives/unknown/<slug:key>/", names.unknown_drive, name="unknown-drive"),
    path("drives/<slug:slug>/", boards.drive, name="drive"),
    path("runs/", runs.runs, name="runs"),
    path("runs/<slug:slug>/", runs.run, name="run"),
    path("runs/<slug:slug>/envelope.json", runs.run_envelope, name="run-envelope"),
    path("runs/<slug:slug>/<slug:workload>/", runs.run_workload, name="run-workload"),
    path("rules/", rules.rules, name="rules"),
    path("rules/<slug:rule_id>/", rules.rule, name="rule"),
    path("measure/", site.measure, name="measure"),
    path("measure/download/<str:name>", site.download, name="download"),
    path("method/", site.method, name="method"),
    path("problems/<slug:slug>", references.problem, name="problem"),
    path("favicon.ico", references.favicon, name="favicon"),
    path("schemas/run.v1.schema.json", references.schema_run_v1, name="schema-run-v1"),
]
