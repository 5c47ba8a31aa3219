"""Addresses of the badges: for ever, as strangers paste them into pages that nobody edits again."""

from django.urls import path

from apps.badges import views

app_name = "badges"

urlpatterns = [
    path("badge/run/<str:slug>.svg", views.run, name="run"),
    path("badge/plan/<str:slug>.svg", views.plan, name="plan"),
    path("badge/drive/<str:slug>.svg", views.drive, name="drive"),
]
