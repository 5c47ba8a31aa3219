"""Template tags of the frame: where links lead, what search engines and shared links are told."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import unescape

from django import template
from django.conf import settings
from django.template.base import FilterExpression, NodeList, Parser, Token
from django.template.context import Context
from django.utils.html import strip_tags
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from apps.pages.frame import addresses, navigation, structured
from apps.pages.frame.addresses import Language
from apps.pages.frame.shared_link import SharedText
from apps.pages.frame.structured import Picture
from apps.pages.show.answer import Answer

register = template.Library()
KEPT = "kept_blocks"
# "</script>" and "<!--" would end or change the element; these escapes mean the same in JSON
SCRIPT_ESCAPES = {ord("<"): "\\u003c", ord(">"): "\\u003e", ord("&"): "\\u0026"}


class KeepNode(template.Node):
    """Renders what is inside, and keeps it as plain text for the tags that come after."""

    def __init__(self, name: FilterExpression, nodelist: NodeList) -> None:
        self.name = name
        self.nodelist = nodelist

    def render(self, context: Context) -> SafeString:
        content = self.nodelist.render(context)
        kept = context.dicts[0].setdefault(KEPT, {})
        kept[self.name.resolve(context)] = " ".join(unescape(strip_tags(content)).split())
        return content


@register.tag
def keep(parser: Parser, token: Token) -> KeepNode:
    """{% keep "title" %}…{% endkeep %}: shown here, and known to `kept` and `structured_data`."""
    _, name = token.split_contents()
    nodelist = parser.parse(("endkeep",))
    parser.delete_first_token()
    return KeepNode(parser.compile_filter(name), nodelist)


@register.simple_tag(takes_context=True)
def kept(context: Context, name: str) -> str:
    """What `keep` has kept, as plain text; a title without the name of the site."""
    text: str = context.dicts[0].get(KEPT, {}).get(name, "")
    return text.removesuffix(addresses.TITLE_END)


@register.simple_tag(takes_context=True)
def canonical(context: Context) -> str:
    """The one address of this page: without its filters, with what makes it another page."""
    return addresses.canonical(context["request"], context.get("canonical_keys"))


@register.simple_tag(takes_context=True)
def languages(context: Context) -> list[Language]:
    """This page in every language: code, name, and address with everything in its query."""
    return addresses.in_languages(context["request"])


@register.simple_tag(takes_context=True)
def alternates(context: Context) -> list[tuple[str, str]]:
    """The canonical address in every language, and the one for everybody else."""
    return addresses.alternates(context["request"], context.get("canonical_keys"))


@register.simple_tag(takes_context=True)
def json_twin(context: Context) -> str:
    """Where programs find what this page shows; empty where there is nothing of it."""
    return addresses.twin_of(context["request"]) if "request" in context else ""


@register.simple_tag
def language_tag() -> str:
    """The language of the page as BCP 47 writes it."""
    return addresses.tag_of(get_language() or settings.LANGUAGE_CODE)


@register.simple_tag(takes_context=True)
def main_places(context: Context) -> list[navigation.NavigationLink]:
    """The links of the head."""
    return navigation.links(navigation.HEAD, context["request"].path)


@register.simple_tag(takes_context=True)
def foot_groups(context: Context) -> Sequence[tuple[str, list[navigation.NavigationLink]]]:
    """The links of the foot, in groups."""
    return navigation.groups(context["request"].path)


@register.simple_tag(takes_context=True)
def share_picture(context: Context) -> Picture:
    """The picture that a shared link shows: that of the site where figures are made up.

    And where an address has anybody's words: we sign what the picture says.
    """
    is_ours = not (context.get("is_made_up") or context.get("has_typed_words"))
    said = _said_of(context) if is_ours else None
    return structured.picture_of(context["request"], said)


def _said_of(context: Context) -> SharedText:
    """What the page says of itself: its answer, else what it is about."""
    answer = context.get("answer")
    texts = {"title": kept(context, "og_title"), "sentence": kept(context, "og_description")}
    if isinstance(answer, Answer):
        texts |= {
            "sentence": answer.sentence,
            "figure": answer.figure,
            "unit": answer.unit,
            "sure": answer.sure,
        }
    return SharedText.of(marks=context.get("shared_marks") or (), **texts)


@register.simple_tag(takes_context=True)
def oembed_links(context: Context) -> dict[str, str]:
    """Where is said how to embed the page, by media type."""
    return structured.oembed_of(context["request"], url=canonical(context))


@register.simple_tag(takes_context=True)
def structured_data(context: Context) -> SafeString:
    """What the page is, as JSON-LD; nothing where no type fits, or its figures are made up."""
    if context.get("is_made_up"):
        return mark_safe("")
    kept_texts = context.dicts[0].get(KEPT, {})
    data = structured.data_of(
        context["request"],
        url=canonical(context),
        title=kept_texts.get("title", "").removesuffix(addresses.TITLE_END),
        description=kept_texts.get("description", ""),
        days=context.get("dataset_days"),
    )
    return json_ld(data) if data else mark_safe("")


@register.simple_tag
def json_ld(data: dict[str, object]) -> SafeString:
    """A block of JSON-LD. It is data: `script-src` of the policy says nothing of it."""
    text = json.dumps(data, ensure_ascii=False).translate(SCRIPT_ESCAPES)
    # every "<" is gone, whatever a name of a stranger holds
    return mark_safe(f'<script type="application/ld+json">{text}</script>')  # noqa: S308 -- every "<" is escaped above
