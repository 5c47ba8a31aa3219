"""Addresses of the pages, in every language: for ever, as people link to them."""

from django.urls import path

from apps.pages.references import problem
from apps.pages.views import (
    advisor,
    boards,
    compare,
    coverage,
    embed,
    guides,
    home,
    lies,
    names,
    rules,
    runs,
    search,
    site,
    styleguide,
    things,
    uploads,
)

app_name = "pages"

urlpatterns = [
    path("", home.home, name="home"),
    path("plans/", boards.plans, name="plans"),
    path("plans/<slug:slug>/", things.plan, name="plan"),
    path("providers/", boards.providers, name="providers"),
    path("providers/<slug:slug>/", things.provider, name="provider"),
    path("drives/", boards.drives, name="drives"),
    path("drives/unknown/", names.unknown_drives, name="unknown-drives"),
    path("drives/unknown/<slug:key>/", names.unknown_drive, name="unknown-drive"),
    path("drives/<slug:slug>/", things.drive, name="drive"),
    path("runs/", runs.runs, name="runs"),
    path("runs/<slug:slug>/", runs.run, name="run"),
    path("runs/<slug:slug>/<slug:workload>/", runs.run_workload, name="run-workload"),
    path("compare/", compare.compare, name="compare"),
    path("uploads/", uploads.uploads, name="uploads"),
    path("rules/", rules.rules, name="rules"),
    path("rules/<slug:rule_id>/", rules.rule, name="rule"),
    path("advisor/", advisor.advisor, name="advisor"),
    path("search/", search.search, name="search"),
    path("coverage/", coverage.coverage, name="coverage"),
    path("measure/", site.measure, name="measure"),
    path("method/", site.method, name="method"),
    path("guides/", guides.guides, name="guides"),
    path("guides/<slug:slug>/", guides.guide, name="guide"),
    path("lies/", lies.lies, name="lies"),
    path("about/", site.about, name="about"),
    path("embed/", embed.embed, name="embed"),
    path("problems/<slug:slug>", problem, name="problem"),
    path("styleguide/", styleguide.styleguide, name="styleguide"),
]
