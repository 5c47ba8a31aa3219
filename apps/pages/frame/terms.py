"""Keeps a page of a person from who has not agreed to the terms in force."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, cast

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from apps.accounts.terms import agreed_to_terms

View = Callable[..., HttpResponse]


def terms_agreed(view: View) -> View:
    """Ask first where the terms are new to a person. It stands below login_required."""

    @wraps(view)
    def asked(request: HttpRequest, *args: Any, **address: Any) -> HttpResponse:
        if not agreed_to_terms(cast("User", request.user)):
            return redirect("pages:agree")
        return view(request, *args, **address)

    return asked
