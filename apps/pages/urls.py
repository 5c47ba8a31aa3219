"""Addresses of the pages, in every language: for ever, as people link to them."""

from typing import Final

from django.urls import include, path

from apps.pages.account import link_views as linking
from apps.pages.account.urls import urlpatterns as account
from apps.pages.advisor import views as advisor
from apps.pages.boards import views as boards
from apps.pages.compare import views as compare
from apps.pages.coverage import views as coverage
from apps.pages.desk import views as desk
from apps.pages.embed import views as embed
from apps.pages.guides import views as guides
from apps.pages.guides.lies import views as lies
from apps.pages.guides.search_entries import guides_index, lies_index
from apps.pages.home import views as home
from apps.pages.legal import views as legal
from apps.pages.propose import views as propose
from apps.pages.reading import data as open_data
from apps.pages.reading import views as reading
from apps.pages.reading.kits import ticket_views as kit_tickets
from apps.pages.reading.references import problem
from apps.pages.reading.search_entries import method_index
from apps.pages.reading.styleguide import views as styleguide
from apps.pages.report import views as report
from apps.pages.rules import views as rules
from apps.pages.rules.search_entries import rules_index
from apps.pages.run import views as run
from apps.pages.search import views as search
from apps.pages.search.pages import site_index
from apps.pages.status import views as status
from apps.pages.things import unknown_views as unknown
from apps.pages.things import views as things
from apps.pages.uploads import views as uploads
from apps.pages.watches import views as watches

app_name = "pages"

# What the search knows of pages is handed on here, as the rooms do not know each other.
INDEXES: Final = (site_index, guides_index, lies_index, method_index, rules_index)

urlpatterns = [
    path("", home.home, name="home"),
    path("plans/", boards.plans, name="plans"),
    path("plans/<slug:slug>/", things.plan, name="plan"),
    path("plans/<slug:slug>/figures/", boards.plan_figures, name="plan-figures"),
    path("providers/", boards.providers, name="providers"),
    path("providers/<slug:slug>/", things.provider, name="provider"),
    path("drives/", boards.drives, name="drives"),
    path("drives/unknown/", unknown.unknown_drives, name="unknown-drives"),
    path("drives/unknown/<slug:key>/", unknown.unknown_drive, name="unknown-drive"),
    path("drives/<slug:slug>/", things.drive, name="drive"),
    path("drives/<slug:slug>/figures/", boards.drive_figures, name="drive-figures"),
    path("runs/", boards.runs, name="runs"),
    path("runs/<slug:slug>/", run.run, name="run"),
    path("runs/<slug:slug>/<slug:workload>/", run.run_workload, name="run-workload"),
    path("compare/", compare.compare, name="compare"),
    path("uploads/", uploads.uploads, name="uploads"),
    path("rules/", rules.rules, name="rules"),
    path("rules/<slug:rule_id>/", rules.rule, name="rule"),
    path("advisor/", advisor.advisor, name="advisor"),
    path("search/", search.search, {"indexes": INDEXES, "compare": compare.said_of}, name="search"),
    path("coverage/", coverage.coverage, name="coverage"),
    path("measure/", reading.measure, name="measure"),
    path("account/tickets/new/", kit_tickets.ticket, name="ticket-new"),
    path("method/", reading.method, name="method"),
    path("guides/", guides.guides, name="guides"),
    path("guides/<slug:slug>/", guides.guide, name="guide"),
    path("lies/", lies.lies, name="lies"),
    path("about/", reading.about, name="about"),
    path("data/", open_data.data, name="data"),
    path("terms/", legal.terms, name="terms"),
    path("terms/<int:version>/", legal.terms, name="terms-version"),
    path("privacy/", legal.privacy, name="privacy"),
    path("imprint/", legal.imprint, name="imprint"),
    path("status/", status.status, name="status"),
    path("embed/", embed.embed, name="embed"),
    path("published/propose/", propose.propose, name="propose"),
    path("problems/<slug:slug>", problem, name="problem"),
    path("report/", report.report, name="report"),
    path("report/<str:token>/", report.status, name="report-status"),
    path("moderation/", report.moderation, name="moderation"),
    path("desk/", desk.desk, name="desk"),
    path("desk/act/", desk.act, name="desk-act"),
    path("desk/prices/", desk.prices, name="desk-prices"),
    path("desk/undo/", desk.take_back, name="desk-undo"),
    path("desk/<slug:kind>/<str:key>/", desk.item, name="desk-item"),
    path("account/terms/", legal.agree, name="agree"),
    path("account/watches/", watches.watches, name="watches"),
    path("account/watches/stop/<str:token>/", watches.stop, name="watches-stop"),
    path("account/", include(account)),
    path("account/link/", linking.link, name="link"),
    path("account/link/key/", linking.link_key, name="link-key"),
    path("account/unlink/<str:token>/", linking.unlink, name="unlink"),
    path("claim/<str:token>/", linking.claim, name="claim"),
    path("styleguide/", styleguide.styleguide, name="styleguide"),
]
