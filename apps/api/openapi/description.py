"""The OpenAPI 3.1 description of the API: the read API from its views, and the upload API."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any, Final

from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiJsonRenderer, OpenApiYamlRenderer

from apps.api.openapi.uploads import with_upload_paths

_CLAUSE_END: Final = re.compile(r"[.,:;](?:\s|$)")


@cache
def openapi_document() -> dict[str, Any]:
    """Return the description, which is made once in a process."""
    generator = SchemaGenerator(urlconf="apps.api.urls")  # type: ignore[no-untyped-call]  # theirs
    document = generator.get_schema(public=True)  # type: ignore[no-untyped-call]  # theirs
    plain: dict[str, Any] = json.loads(OpenApiJsonRenderer().render(document))
    return _with_titles(with_upload_paths(plain))


def _with_titles(document: dict[str, Any]) -> dict[str, Any]:
    """Return a description whose operations have a summary: how their description begins."""
    paths = {
        path: {
            method: {**operation, "summary": _CLAUSE_END.split(operation["description"])[0]}
            for method, operation in operations.items()
        }
        for path, operations in document["paths"].items()
    }
    return {**document, "paths": paths}


def as_yaml(document: dict[str, Any]) -> str:
    """Return the description as the file that reviewers read."""
    text: bytes = OpenApiYamlRenderer().render(document)  # type: ignore[no-untyped-call]  # theirs
    return text.decode()
