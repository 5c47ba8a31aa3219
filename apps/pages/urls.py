"""Addresses of the pages: for ever, as people link to them."""

from django.urls import path

from apps.pages import references, views

app_name = "pages"

urlpatterns = [
    path("", views.home, name="home"),
    path("plans/", views.plans, name="plans"),
    path("plans/<slug:slug>/", views.plan, name="plan"),
    path("providers/", views.providers, name="providers"),
    path("providers/<slug:slug>/", views.provider, name="provider"),
    path("drives/", views.drives, name="drives"),
    path("drives/<slug:slug>/", views.drive, name="drive"),
    path("runs/", views.runs, name="runs"),
    path("runs/<slug:slug>/", views.run, name="run"),
    path("runs/<slug:slug>/envelope.json", views.run_envelope, name="run-envelope"),
    path("measure/", views.measure, name="measure"),
    path("measure/download/<str:name>", views.download, name="download"),
    path("method/", views.method, name="method"),
    path("problems/<slug:slug>", references.problem, name="problem"),
    path("favicon.ico", references.favicon, name="favicon"),
    path("schemas/run.v1.schema.json", references.schema_run_v1, name="schema-run-v1"),
]
