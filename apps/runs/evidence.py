"""The kind of evidence of a run, by the level that it is shown with."""

from apps.runs.models import Level


def evidence_of(shown_level: str) -> str:
    """Return `measured`, `published`, `imported`, or `example` where the run is made up."""
    return "measured" if shown_level in (Level.SIGNED, Level.WITNESSED) else shown_level
