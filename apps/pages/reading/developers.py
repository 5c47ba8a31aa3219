"""The pages of the API: what it has, and the reference that Redoc draws from its description."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from csp.constants import SELF
from csp.decorators import csp_update
from django.shortcuts import render
from django.urls import URLPattern, path
from django.views.decorators.http import require_safe

from apps.wire.problems import PROBLEMS

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponse

    Describe = Callable[[], dict[str, Any]]  # the OpenAPI document, which `apps.api` makes

# Redoc puts its rules into style elements that are empty when the policy looks at them: the first
# is the digest of nothing, the second that of the rules of its scroll bars. Any other style
# element, and every style attribute, stays forbidden.
REDOC_STYLES: Final = (
    "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='",
    "'sha256-QMIg+bpjm3JdElJ388KYke01izlUW0UoNOeKjpMxdgc='",
)
FEEDS: Final = ("feed", "feed-ranks", "feed-shifts", "feed-prices", "feed-method")


@dataclass(frozen=True, slots=True)
class Address:
    """One address of the API that gives data."""

    path: str
    about: str  # in English, as all of the description is

    @property
    def is_link(self) -> bool:
        """Whether it can be followed as it is."""
        return "{" not in self.path


def api_urls(root: Callable[..., HttpResponse]) -> tuple[list[URLPattern], str]:
    """Return the addresses and their namespace, for `include`.

    `root` answers programs too: the API does, which the pages do not know.
    """
    return [
        path("api/v1/", root, name="api"),
        path("api/v1/reference/", reference, name="reference"),
    ], "developers"


def addresses_of(document: dict[str, Any]) -> list[Address]:
    """Return every address that can be read, in the order of the description."""
    return [
        Address(each, operations["get"].get("description", "").replace("`", ""))
        for each, operations in document["paths"].items()
        if "get" in operations
    ]


@require_safe
def api(request: HttpRequest, describe: Describe) -> HttpResponse:
    """What the API has."""
    context = {
        "addresses": addresses_of(describe()),
        "feeds": [f"files:{name}" for name in FEEDS],
        "problems": PROBLEMS.values(),
    }
    return render(request, "pages/reading/api.html", context)


@require_safe
@csp_update({"style-src": [SELF, *REDOC_STYLES]})
def reference(request: HttpRequest) -> HttpResponse:
    """Every address with its parameters and answers, drawn by Redoc."""
    return render(request, "pages/reading/api_reference.html")
