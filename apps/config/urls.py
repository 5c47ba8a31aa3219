"""Every address of the site; each app lists its own."""

from __future__ import annotations

from functools import partial

from allauth.socialaccount.providers.github.provider import GitHubProvider
from allauth.socialaccount.providers.gitlab.provider import GitLabProvider
from allauth.socialaccount.providers.google.provider import GoogleProvider
from allauth.socialaccount.providers.oauth2.urls import default_urlpatterns
from django.conf.urls.i18n import i18n_patterns
from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path

from apps.api.openapi.description import openapi_document
from apps.api.root import RootView
from apps.api.views import RunView
from apps.config.dispatch import by_accept, by_method
from apps.intake.page_urls import import_urls
from apps.intake.views import put_run
from apps.pages.home.output import stand_of_output
from apps.pages.reading import developers

read_run = RunView.as_view()
# a page for people, and the root of the API for programs
api_root = by_accept(
    page=partial(developers.api, describe=openapi_document), data=RootView.as_view()
)

handler500 = "apps.pages.reading.views.failed"

# not allauth's own list: Google's has an address beside these that needs no CSRF token
SIGN_IN_WITH = (GitHubProvider, GitLabProvider, GoogleProvider)

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("apps.pages.file_urls")),
    *i18n_patterns(
        path("", include("apps.pages.urls")),
        path("", include(import_urls(stand_of_output))),
        path("", include(developers.api_urls(api_root))),
        path("account/", include("allauth.account.urls")),
        path("account/factors/", include("allauth.mfa.urls")),
        path("account/sessions/", include("allauth.usersessions.urls")),
        path("account/connected/", include("allauth.socialaccount.urls")),
        prefix_default_language=False,
    ),
    # what others send people back to is registered with them: one address in all languages
    *(path("account/", include(default_urlpatterns(each))) for each in SIGN_IN_WITH),
    path("", include("apps.badges.urls")),
    path("staff/", admin.site.urls),
    # one resource of two apps: the intake stores it, the public API reads it
    path(
        "api/v1/runs/<str:run_id>",
        by_method({"PUT": put_run, "GET": read_run, "OPTIONS": read_run}),
        name="run-resource",
    ),
    path("", include("apps.api.urls")),
    path("", include("apps.intake.urls")),  # last: it answers every other /api/ address
]
