"""What the styleguide shows of the real site: something that has a badge."""

from __future__ import annotations

from apps.rankings.selectors import (
    COMMIT_STANDINGS,
    EVIDENCE_PLACE,
)


def plan_with_badge() -> tuple[str, str] | None:
    """Slug and name of the best documented plan; None where nobody measured one: 1 query."""
    return (
        COMMIT_STANDINGS.filter(plan__isnull=False)
        .order_by(EVIDENCE_PLACE, "-n_uploaders", "plan")
        .values_list("plan__slug", "plan__name")
        .first()
    )
