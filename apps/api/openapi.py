"""The OpenAPI 3.1 description of the API, made from the views and the door."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiJsonRenderer, OpenApiYamlRenderer

from apps.api.door import with_the_door


@cache
def openapi_document() -> dict[str, Any]:
    """Return the description; made once a process, as the code does not change meanwhile."""
    generator = SchemaGenerator(urlconf="apps.api.urls")  # type: ignore[no-untyped-call]  # theirs
    document = generator.get_schema(public=True)  # type: ignore[no-untyped-call]  # theirs
    plain: dict[str, Any] = json.loads(OpenApiJsonRenderer().render(document))
    return with_the_door(plain)


def as_yaml(document: dict[str, Any]) -> str:
    """Return the description as the file that reviewers read."""
    text: bytes = OpenApiYamlRenderer().render(document)  # type: ignore[no-untyped-call]  # theirs
    return text.decode()
