"""The form with which a stranger proposes a published result."""
