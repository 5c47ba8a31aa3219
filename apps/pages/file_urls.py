"""Addresses of files: they speak no language, so they stand at one address each."""

from typing import Final

from django.urls import path

from apps.pages.boards import file_views as boards
from apps.pages.compare import views as compare
from apps.pages.embed.cards import views as cards
from apps.pages.feeds import views as feeds
from apps.pages.frame import crawlers
from apps.pages.frame.sitemap import (
    Sections,
    drive_pages,
    plan_pages,
    provider_pages,
    published_pages,
    site_pages,
)
from apps.pages.guides.search_entries import guide_pages
from apps.pages.reading import data as open_data
from apps.pages.reading import references
from apps.pages.reading import views as reading
from apps.pages.reading.kits import views as kits
from apps.pages.report import feed as report_feed
from apps.pages.rules.search_entries import rule_pages
from apps.pages.run import feed
from apps.pages.run import views as run
from apps.pages.search.wanted import wanted

app_name = "files"

# The sitemaps: what the rooms know of their pages, in the order of the site.
SECTIONS: Final[Sections] = {
    "pages": (site_pages, rule_pages, guide_pages),
    "plans": (plan_pages,),
    "drives": (drive_pages,),
    "providers": (provider_pages,),
    "published": (published_pages,),
}

urlpatterns = [
    path("plans.csv", boards.plans, {"form": "csv"}, name="plans-csv"),
    path("plans.json", boards.plans, {"form": "json"}, name="plans-json"),
    path("providers.csv", boards.providers, {"form": "csv"}, name="providers-csv"),
    path("providers.json", boards.providers, {"form": "json"}, name="providers-json"),
    path("drives.csv", boards.drives, {"form": "csv"}, name="drives-csv"),
    path("drives.json", boards.drives, {"form": "json"}, name="drives-json"),
    path("runs.csv", boards.runs, {"form": "csv"}, name="runs-csv"),
    path("runs.json", boards.runs, {"form": "json"}, name="runs-json"),
    path("runs/<slug:slug>/envelope.json", run.run_envelope, name="run-envelope"),
    path("r/<slug:code>", run.short, name="run-short"),
    path("compare/figures.csv", compare.compare_csv, name="compare-csv"),
    path("compare/figures.json", compare.compare_json, name="compare-json"),
    path("install.sh", reading.install, name="install"),
    path("kits/kubernetes.yaml", kits.kubernetes_job, name="kit-kubernetes"),
    path("kits/<slug:slug>/<slug:region>.yaml", kits.cloud_init, name="kit-cloud-init"),
    path("kits/<slug:slug>/<slug:region>.sh", kits.script, name="kit-script"),
    path("measure/download/<str:name>", reading.download, name="download"),
    path("data/<str:name>/<str:file>", open_data.dump_file, name="dump-file"),
    path("schemas/run.v1.schema.json", references.schema_run_v1, name="schema-run-v1"),
    path("og/site.png", cards.og_site, name="og-site"),
    path("og/page/<str:signature>.png", cards.og_page, name="og-page"),
    path("og/<slug:kind>/<slug:slug>.png", cards.og, name="og"),
    path("robots.txt", crawlers.robots, name="robots"),
    path(".well-known/security.txt", crawlers.security, name="security"),
    path("sitemap.xml", crawlers.sitemap, {"sections": SECTIONS}, name="sitemap"),
    path(
        "sitemap-<slug:name>.xml",
        crawlers.sitemap_part,
        {"sections": SECTIONS},
        name="sitemap-part",
    ),
    path("runs.atom", feed.feed, name="feed"),
    path("ranks.atom", feeds.ranks, name="feed-ranks"),
    path("shifts.atom", feeds.shifts, name="feed-shifts"),
    path("prices.atom", feeds.prices, name="feed-prices"),
    path("method.atom", feeds.method, name="feed-method"),
    path("moderation.atom", report_feed.feed, name="moderation-feed"),
    path("wanted/", wanted, name="wanted"),
    path("favicon.ico", references.favicon, name="favicon"),
]
