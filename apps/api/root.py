"""The root of the read API: where everything is."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Final

from django.conf import settings
from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from apps.api.base import ReadView
from apps.api.openapi.answers import ANY_RESPONSES, ROOT
from apps.api.serializers import absolute
from apps.rankings.versions.method import METHOD_VERSION
from apps.runs.trust.licences import LICENCES

if TYPE_CHECKING:
    from rest_framework.request import Request

LISTS: Final = (
    "advice", "changes", "drives", "envelopes", "labels", "methods", "plans", "prices",
    "providers", "recognise", "rules", "runs", "schema", "standings", "workloads",
)  # fmt: skip
FEEDS: Final = {
    "runs": "files:feed",
    "ranks": "files:feed-ranks",
    "shifts": "files:feed-shifts",
    "prices": "files:feed-prices",
    "method": "files:feed-method",
}


class RootView(ReadView):
    """Where everything is, and on what terms."""

    @extend_schema(operation_id="get_root", responses={200: ROOT, **ANY_RESPONSES})
    def get(self, _request: Request) -> Response:
        """Every list of this API, its feeds and its terms; browsers get a page instead."""
        return Response(
            {
                "title": settings.SPECTACULAR_SETTINGS["TITLE"],
                "version": settings.SPECTACULAR_SETTINGS["VERSION"],
                "method_version": METHOD_VERSION,
                "documentation": absolute("developers:reference"),
                "addresses": {name: absolute(f"api:{name}") for name in LISTS},
                "feeds": {name: absolute(view) for name, view in FEEDS.items()},
                "licences": [asdict(each) for each in LICENCES],
            }
        )
