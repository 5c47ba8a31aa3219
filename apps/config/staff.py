"""Django's admin behind the site's own sign-in: counted attempts, and a second factor."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext

from apps.accounts.people import has_second_factor


class StaffSite(admin.AdminSite):
    """The admin of who is staff and signs in with more than a password."""

    def has_permission(self, request: HttpRequest) -> bool:
        return super().has_permission(request) and has_second_factor(request.user)

    def login(self, request: HttpRequest, _extra_context: Any = None) -> HttpResponse:
        """Lead to the sign-in, or to the second factor that is still missing."""
        if not request.user.is_authenticated:
            return redirect_to_login(request.GET.get("next") or reverse("admin:index"))
        if not (request.user.is_active and request.user.is_staff):
            raise PermissionDenied
        if has_second_factor(request.user):
            return HttpResponseRedirect(reverse("admin:index"))
        messages.warning(request, gettext("Staff need a second factor: set one up first."))
        return HttpResponseRedirect(reverse("mfa_index"))

    def logout(self, _request: HttpRequest, _extra_context: Any = None) -> Any:
        return HttpResponseRedirect(reverse("account_logout"))

    def password_change(self, _request: HttpRequest, _extra_context: Any = None) -> Any:
        return HttpResponseRedirect(reverse("account_change_password"))
