"""Addresses of the badges: for ever, as strangers paste them into pages that nobody edits again."""

from django.urls import path

from apps.badges import views

app_name = "badges"

urlpatterns = [
    path("run/<str:slug>.svg", views.run, name="run"),
    path("plan/<str:slug>.svg", views.plan, name="plan"),
    path("drive/<str:slug>.svg", views.drive, name="drive"),
]
