"""The method page: docs/methodology.md as HTML, with a table of contents.

Every section is folded: short answers stand above. A link into one opens it (static/js/folds.js).
"""

from __future__ import annotations

from apps.pages.frame.documents import OwnText, read_document


def read_method(language: str = "en") -> OwnText:
    """The methodology as it is on disk now, in a language where somebody translated it."""
    method = read_document("methodology", language, is_folded=True)
    if method is None:
        raise FileNotFoundError("docs/methodology.md is part of the product")
    return method
