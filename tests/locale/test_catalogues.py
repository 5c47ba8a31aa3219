"""Catalogues are complete and as new as the code; what makes them is tried on small ones."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from django.utils.translation import gettext, ngettext, override

from apps.config.one_machine.environment import ROOT
from apps.pages.show.catalogue_texts import catalogue_texts
from tests.locale import catalogues


@pytest.fixture(scope="module")
def template() -> Catalog:
    return catalogues.template_catalogue(catalogue_texts())


@pytest.fixture(scope="module", params=catalogues.LOCALES)
def locale(request: pytest.FixtureRequest) -> str:
    code: str = request.param
    return code


@pytest.fixture(scope="module")
def catalog(locale: str) -> Catalog:
    return catalogues.read_catalogue(locale)


def test_the_catalogues_hold_the_texts_of_the_code(
    locale: str, catalog: Catalog, template: Catalog, tmp_path: Path
) -> None:
    catalogues.write_catalogue(catalogues.updated(locale, catalog, template), locale, tmp_path)
    assert files(catalogues.FOLDER) == files(tmp_path), "the texts have changed: ./run translations"


def files(folder: Path) -> dict[str, bytes]:
    """Both kinds of files of all parts, by their place in the folder."""
    return {
        str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*.[mp]o"))
    }


def test_no_module_marks_texts_by_a_name_that_is_not_read() -> None:
    alias = re.compile(r"gettext\w* as (\w+)")
    names = {
        name
        for path in (ROOT / "apps").rglob("*.py")
        for name in alias.findall(path.read_text(encoding="utf-8"))
    }
    assert names <= set(catalogues.KEYWORDS)


def test_every_text_is_translated_with_its_placeholders(catalog: Catalog) -> None:
    assert len(catalog) > 1_000
    assert catalogues.faults(catalog) == []


# A text is work for two languages and for every reader: each limit is what stands today and a bit.
# 1,600 that measure, compare and explain; whose a run is, what was decided, how a badge is chosen
SITE_TEXTS_MAX = 1_709
LAW_TEXTS_MAX = 60  # around the texts of the law, of watched plans, of the state of the site
LAW_PARTS = {"legal", "pages/legal", "pages/status", "pages/watches", "watches"}
PEOPLE_TEXTS_MAX = 410  # what a signed-in person, a moderator and the law need
PEOPLE_PARTS = {
    "accounts", "config", "moderation", "pages/account", "pages/desk", "pages/report",
}  # fmt: skip


def test_texts_are_few(catalog: Catalog, locale: str) -> None:
    parts = catalogues.split(catalog, locale)
    people = sum(len(texts) for part, texts in parts.items() if part in PEOPLE_PARTS)
    law = sum(len(texts) for part, texts in parts.items() if part in LAW_PARTS)
    assert people <= PEOPLE_TEXTS_MAX
    assert law <= LAW_TEXTS_MAX
    assert len(catalog) - people - law <= SITE_TEXTS_MAX


@pytest.mark.parametrize(
    ("file", "part"),
    [
        ("templates/pages/run/ladder.html", "pages/run"),
        ("apps/pages/run/facts/drive.py", "pages/run"),
        ("templates/parts/facts.html", "pages/show"),
        ("templates/base.html", "pages/frame"),
        ("apps/pages/templatetags/units.py", "pages/frame"),
        ("apps/runs/rules/order.py", "runs"),
    ],
)
def test_the_texts_of_a_file_stand_with_its_room_or_its_app(file: str, part: str) -> None:
    assert catalogues.part_of(file) == part


def test_a_file_of_no_part_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"table\.csv is in no part"):
        catalogues.part_of("table.csv")


def test_a_text_of_two_rooms_is_shared_and_an_empty_part_goes(tmp_path: Path) -> None:
    first = catalogues.StillCatalog("zh_Hans")
    first.add("Runs", "运行", locations=[("apps/pages/run/a.py", 0)])
    catalogues.write_catalogue(first, "zh_Hans", tmp_path)
    assert set(files(tmp_path)) == in_part("pages/run")

    second = catalogues.StillCatalog()
    second.add("Runs", locations=[("apps/pages/run/a.py", 0), ("apps/pages/home/a.py", 0)])
    kept = catalogues.updated("zh_Hans", catalogues.read_catalogue("zh_Hans", tmp_path), second)
    catalogues.write_catalogue(kept, "zh_Hans", tmp_path)
    assert set(files(tmp_path)) == in_part("shared")
    assert catalogues.read_catalogue("zh_Hans", tmp_path)["Runs"].string == "运行"


def in_part(part: str) -> set[str]:
    return {f"{part}/zh_Hans/LC_MESSAGES/django.{suffix}" for suffix in ("mo", "po")}


def sources(root: Path, **files: str) -> Path:
    for name, text in files.items():
        folder, _, suffix = name.rpartition("_")
        path = root / folder / f"a.{suffix}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


TEMPLATE = """
<p class="x">{% translate "One (two" %}</p>
    {% blocktranslate trimmed count n=runs %}
      {{ n }} run
    {% plural %}
      {{ n }} runs
    {% endblocktranslate %}
  {% translate "About" context "a rule" %} it's {{ a|default:_("none") }}
"""
MODULE = '''
"""What it's for."""
from django.utils.translation import gettext, gettext_noop as noop, ngettext
A = gettext("a %(name)s") % {"name": 1}
'''


def test_texts_are_read_out_of_templates_and_modules(tmp_path: Path) -> None:
    root = sources(tmp_path, templates_html=TEMPLATE, apps_py=MODULE)
    catalog = catalogues.template_catalogue([("table.py", "of a table")], root)
    assert {each.id for each in catalog if each.id} == {
        "One (two", ("%(n)s run", "%(n)s runs"), "About", "none", "a %(name)s", "of a table",
    }  # fmt: skip
    assert catalog.get("About", "a rule") is not None
    assert catalog["One (two"].locations == [("templates/a.html", 0)]


def catalogue_of(text: str | tuple[str, str], told: str | tuple[str, ...]) -> Catalog:
    catalog = catalogues.StillCatalog("zh_Hans")
    catalog.add(text, told)
    return catalog


@pytest.mark.parametrize(
    ("text", "told", "fault"),
    [
        ("Runs", "", "not translated"),
        (("%(n)s run", "%(n)s runs"), ("",), "not translated"),
        ("%(n)s of it", "其中", "placeholders"),
        ("{name} of it", "其中 {nane}", "placeholders"),
        (r"\1 writers", "写线程", "placeholders"),
        ('<a href="/x">All</a>', "全部", "tags"),
        ("A, b", "甲,乙", "full-width"),
        ("Your runs", "您的运行", "polite"),
    ],
)
def test_what_is_wrong_with_a_translation_is_said(
    text: str | tuple[str, str], told: str | tuple[str, ...], fault: str
) -> None:
    (found,) = catalogues.faults(catalogue_of(text, told))
    assert fault in found


def test_a_fuzzy_text_is_a_fault_and_is_kept() -> None:
    catalog = catalogue_of("Runs", "运行")
    catalog["Runs"].flags.add("fuzzy")
    (found,) = catalogues.faults(catalog)
    assert "fuzzy" in found
    assert catalogues.updated("zh_Hans", catalog, catalog)["Runs"].fuzzy


def test_good_translations_have_no_fault() -> None:
    told = "<b>%(b)s</b>\uff0c%(a)s"
    assert catalogues.faults(catalogue_of("%(a)s, <b>%(b)s</b>", told)) == []
    assert catalogues.faults(catalogue_of("1,000 of %(n)s", "%(n)s 中的 1,000")) == []


def test_a_translation_outlives_its_neighbours_and_no_text() -> None:
    old = catalogue_of("Runs", "运行")
    old.add("Gone", "已删除")
    template = catalogues.StillCatalog()
    template.add("Runs")
    template.add("New")
    new = catalogues.updated("zh_Hans", old, template)
    assert {each.id: each.string for each in new if each.id} == {"Runs": "运行", "New": None}


def test_the_files_hold_no_time_and_no_line() -> None:
    catalog = catalogue_of("Runs", "运行")
    written = catalogues.po_bytes(catalog)
    assert written == catalogues.po_bytes(catalogue_of("Runs", "运行"))
    assert b"Date" not in written
    assert b"Babel" not in catalogues.mo_bytes(catalog)


def test_django_speaks_it() -> None:
    with override("zh-hans"):
        assert gettext("Plans") == "套餐"
        assert ngettext("%(n)s run", "%(n)s runs", 2) % {"n": 2} == "2 次运行"
