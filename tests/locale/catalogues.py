"""Catalogues of translations: read out of templates, modules and tables, written as .po and .mo.

Each room of `apps/pages` and each app has a folder in `locale/` with its own two files; texts that
stand in several are in `locale/shared`. Babel reads and writes them, so nobody needs GNU gettext.
The files are a function of the code and of what the translators wrote: no dates, no line numbers,
entries in the order of their English.
"""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePath
from typing import Final

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import DEFAULT_KEYWORDS, extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.utils.translation.template import templatize

from apps.config.one_machine.environment import ROOT

LOCALES: Final = ("zh_Hans",)
DOMAIN: Final = "django"
FOLDER: Final = ROOT / "locale"
# Folders of templates that are named by allauth, whose pages are those of our room `account`.
OF_ACCOUNTS: Final = ("account", "accounts", "allauth", "mfa", "socialaccount", "usersessions")
SHARED: Final = "shared"  # the part of texts that stand in several parts
NO_LINE: Final = 0  # numbers of lines would change with every edit
WIDTH: Final = 100
KEYWORDS: Final = {
    **DEFAULT_KEYWORDS,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext_lazy": (1, 2),
    "ngettext_noop": (1, 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext_lazy": ((1, "c"), 2, 3),
}
COMMENT_TAGS: Final = ("Translators:",)
PLACEHOLDER: Final = re.compile(r"%\(\w+\)[sd]|(?<!%)%[sd]|\{\w*(?::[\w,.]+)?\}|\\\d")
# Signs of Latin width beside a Chinese one: in a Chinese sentence they have a width of their own.
NARROW_SIGN: Final = re.compile(r"[\u3400-\u9fff][,;:!?(]|[,;:!?)][\u3400-\u9fff]")
TAG: Final = re.compile(r"</?[a-z][^<>]*>")

HEADER: Final = "# Texts of Fsyncmark. Made by ./run translations; docs/translating.md says how."

Text = str | tuple[str, ...] | list[str]


class StillCatalog(Catalog):
    """A catalogue whose header says what a reader of the file needs, and no time and no program."""

    def __init__(self, locale: str | None = None) -> None:
        super().__init__(locale, header_comment=HEADER, fuzzy=False)

    @property
    def mime_headers(self) -> list[tuple[str, str]]:
        """The header, in which Babel would write the hour and its own version."""
        return [
            ("Language", str(self.locale_identifier)),
            ("Plural-Forms", self.plural_forms),
            ("MIME-Version", "1.0"),
            ("Content-Type", "text/plain; charset=utf-8"),
            ("Content-Transfer-Encoding", "8bit"),
        ]


def po_path(part: str, locale: str, folder: Path = FOLDER) -> Path:
    return folder / part / locale / "LC_MESSAGES" / f"{DOMAIN}.po"


def po_paths(locale: str, folder: Path = FOLDER) -> list[Path]:
    """The catalogues of a language, one for each part of the site that has texts of its own."""
    return sorted(folder.rglob(f"{locale}/LC_MESSAGES/{DOMAIN}.po"))


def part_of(file: str) -> str:
    """The folder of `locale/` for the texts of a file: `pages/run` or, of an app, `runs`."""
    match PurePath(file).parts:
        case ("apps" | "templates", "pages", room, _, *_) if room != "templatetags":
            return f"pages/{room}"
        case ("templates", folder, *_) if folder in OF_ACCOUNTS or folder == "429.html":
            return "pages/account"
        case ("templates", "parts", *_):
            return "pages/show"
        case ("templates", *_) | ("apps", "pages", *_):
            return "pages/frame"
        case ("apps", app, *_):
            return app
    raise ValueError(f"{file} is in no part of the site")


def split(catalog: Catalog, locale: str) -> dict[str, Catalog]:
    """A catalogue in parts: each text in the one part that has it, or in `SHARED`."""
    parts: dict[str, Catalog] = {}
    for message in catalog:
        if message.id:
            homes = {part_of(file) for file, _line in message.locations}
            part = homes.pop() if len(homes) == 1 else SHARED
            parts.setdefault(part, StillCatalog(locale))[message.id] = message
    return parts


def found_in_code(root: Path = ROOT) -> Iterator[tuple[str, Text, list[str], str | None]]:
    """Every text that is marked in a template or a module: file, text, comments, context."""
    folder = root / "templates"
    for path in sorted([*folder.rglob("*.html"), *folder.rglob("*.txt")]):
        code = templatize(path.read_text(encoding="utf-8"))
        # what templatize leaves is no Python: without indents the tokenizer reads it all the same
        yield from _texts(path.relative_to(root), "\n".join(map(str.lstrip, code.splitlines())))
    for path in sorted((root / "apps").rglob("*.py")):
        if "migrations" not in path.parts:
            yield from _texts(path.relative_to(root), path.read_text(encoding="utf-8"))


def _texts(path: Path, code: str) -> Iterator[tuple[str, Text, list[str], str | None]]:
    found = extract("python", io.BytesIO(code.encode()), KEYWORDS, COMMENT_TAGS)
    for _line, text, comments, context in found:
        yield str(path), text, comments, context


def template_catalogue(tables: Iterable[tuple[str, Text]], root: Path = ROOT) -> Catalog:
    """All texts of the site, untranslated; `tables` are pairs of file and text."""
    catalog = StillCatalog()
    for path, text, comments, context in found_in_code(root):
        catalog.add(text, locations=[(path, NO_LINE)], auto_comments=comments, context=context)
    for path, text in tables:
        catalog.add(text, locations=[(path, NO_LINE)])
    return catalog


def updated(locale: str, old: Catalog, template: Catalog) -> Catalog:
    """The texts of the template with the translations that there were; what left is dropped."""
    new = StillCatalog(locale)
    for message in template:
        if message.id:
            before = old.get(message.id, message.context)
            new.add(
                message.id,
                string=before.string if before and _same_kind(before, message) else None,
                locations=sorted(set(message.locations)),
                flags=sorted({*message.flags} | ({*before.flags} & {"fuzzy"} if before else set())),
                auto_comments=message.auto_comments,
                user_comments=before.user_comments if before else (),
                context=message.context,
            )
    return new


def _same_kind(before: Message, now: Message) -> bool:
    return isinstance(before.id, str) == isinstance(now.id, str)


def read_catalogue(locale: str, folder: Path = FOLDER) -> Catalog:
    """All texts of a language, whichever part they stand in; empty where there is none yet."""
    catalog = StillCatalog(locale)
    for path in po_paths(locale, folder):
        with path.open("rb") as file:
            for message in read_po(file, locale=locale, abort_invalid=True):
                if message.id:
                    catalog[message.id] = message
    return catalog


def write_catalogue(catalog: Catalog, locale: str, folder: Path = FOLDER) -> None:
    """The files of every part anew; a part without texts loses its files."""
    parts = split(catalog, locale)
    for part, texts in parts.items():
        path = po_path(part, locale, folder)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(po_bytes(texts))
        path.with_suffix(".mo").write_bytes(mo_bytes(texts))
    for path in set(po_paths(locale, folder)) - {po_path(part, locale, folder) for part in parts}:
        path.unlink()
        path.with_suffix(".mo").unlink(missing_ok=True)


def po_bytes(catalog: Catalog) -> bytes:
    written = io.BytesIO()
    write_po(
        written, catalog, width=WIDTH, sort_output=True, include_lineno=False, ignore_obsolete=True
    )
    return written.getvalue()


def mo_bytes(catalog: Catalog) -> bytes:
    """What gettext reads; texts without a translation are left out, fuzzy ones too."""
    written = io.BytesIO()
    write_mo(written, catalog)
    return written.getvalue()


def faults(catalog: Catalog) -> list[str]:
    """What keeps a catalogue from being complete, a sentence each."""
    found = []
    for message in catalog:
        if not message.id:
            continue
        name = message.id if isinstance(message.id, str) else message.id[0]
        strings = (message.string,) if isinstance(message.string, str) else message.string or ()
        if not strings or not all(strings):
            found.append(f"not translated: {name!r}")
        elif message.fuzzy:
            found.append(f"fuzzy, look at it and take the mark away: {name!r}")
        else:
            wanted = parts_of(_form_for_many(message.id))
            found += [
                f"{name!r}: {fault}" for text in strings for fault in _faults_of(text, wanted)
            ]
    return found


def _faults_of(text: str, wanted: tuple[set[str], Counter[str]]) -> Iterator[str]:
    if parts_of(text) != wanted:
        yield f"{text!r} has other placeholders or tags"
    if narrow := NARROW_SIGN.search(text):
        yield f"{narrow[0]!r} of {text!r} needs a full-width sign"
    if "\u60a8" in text:
        yield f"{text!r} is too polite: the reader is \u4f60"


def parts_of(text: str) -> tuple[set[str], Counter[str]]:
    """The placeholders of a text and its HTML tags, which a translation keeps."""
    return {each[0] for each in PLACEHOLDER.finditer(text)}, Counter(TAG.findall(text))


def _form_for_many(text: Text) -> str:
    """The form that names every figure: English may leave the 1 out of the other."""
    return text if isinstance(text, str) else text[-1]
