"""The page that others frame: one picture that leads to ours, without a script or a cookie."""

from __future__ import annotations

from typing import Final
from xml.sax.saxutils import escape, quoteattr

from apps.badges.cards.theme import SHEET_HASH, hash_of

# A host that is narrower than the card has it smaller, not cut.
SHEET: Final = (
    "body{margin:0}a,svg{display:block}svg{max-width:100%;height:auto}"
    "a:focus-visible{outline:2px solid #b83800;outline-offset:-2px}"
)
# Whoever likes may frame it: it knows nobody, and does nothing but lead to a page of ours. A
# sandbox without scripts is what a host may not forget.
POLICY: Final = (
    f"default-src 'none'; style-src '{hash_of(SHEET)}' '{SHEET_HASH}'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors *; sandbox allow-popups allow-popups-to-escape-sandbox"
)


def framed(picture: str, *, title: str, address: str) -> str:
    """Return the page of a picture, with a link to the page of ours that says more."""
    link = quoteattr(address)
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        '<meta name="robots" content="noindex">'
        f'<title>{escape(title)}</title><link rel="canonical" href={link}>'
        f"<style>{SHEET}</style></head><body>"
        f'<a href={link} target="_blank" rel="noopener">{picture}</a></body></html>'
    )
