"""The OpenAPI 3.1 description of the API: the read API from its views, and the upload API."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiJsonRenderer, OpenApiYamlRenderer

from apps.api.openapi.uploads import with_upload_paths


@cache
def openapi_document() -> dict[str, Any]:
    """Return the description, which is made once in a process."""
    generator = SchemaGenerator(urlconf="apps.api.urls")  # type: ignore[no-untyped-call]  # theirs
    document = generator.get_schema(public=True)  # type: ignore[no-untyped-call]  # theirs
    plain: dict[str, Any] = json.loads(OpenApiJsonRenderer().render(document))
    return with_upload_paths(plain)


def as_yaml(document: dict[str, Any]) -> str:
    """Return the description as the file that reviewers read."""
    text: bytes = OpenApiYamlRenderer().render(document)  # type: ignore[no-untyped-call]  # theirs
    return text.decode()
