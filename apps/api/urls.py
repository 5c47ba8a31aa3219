"""Addresses of the read API, stable for ever."""

from django.urls import path

from apps.api import views
from apps.api.advice import AdviceView
from apps.api.definitions import views as definitions
from apps.api.history import views as history
from apps.api.root import RootView

app_name = "api"

urlpatterns = [
    # the page for people has the same address; apps/config/urls.py dispatches by Accept
    path("api/v1/", RootView.as_view(), name="root"),
    path("api/v1/runs", views.RunsView.as_view(), name="runs"),
    # PUT on this address is for apps.intake; apps/config/urls.py dispatches by method
    path("api/v1/runs/<str:run_id>", views.RunView.as_view(), name="run"),
    path("api/v1/plans", views.PlansView.as_view(), name="plans"),
    path("api/v1/plans/<str:slug>", views.PlanView.as_view(), name="plan"),
    path("api/v1/providers", views.ProvidersView.as_view(), name="providers"),
    path("api/v1/providers/<str:slug>", views.ProviderView.as_view(), name="provider"),
    path("api/v1/drives", views.DrivesView.as_view(), name="drives"),
    path("api/v1/drives/<str:slug>", views.DriveView.as_view(), name="drive"),
    path("api/v1/standings", views.StandingsView.as_view(), name="standings"),
    path("api/v1/advice", AdviceView.as_view(), name="advice"),
    path("api/v1/workloads", definitions.WorkloadsView.as_view(), name="workloads"),
    path("api/v1/rules", definitions.RulesView.as_view(), name="rules"),
    path("api/v1/methods", definitions.MethodsView.as_view(), name="methods"),
    path("api/v1/recognise", definitions.RecogniseView.as_view(), name="recognise"),
    path("api/v1/labels", history.LabelsView.as_view(), name="labels"),
    path("api/v1/prices", history.PricesView.as_view(), name="prices"),
    path("api/v1/envelopes", history.EnvelopesView.as_view(), name="envelopes"),
    path("api/v1/changes", history.ChangesView.as_view(), name="changes"),
    path("api/v1/schema", views.SchemaView.as_view(), name="schema"),
]
