"""The desk: what waits on it, its evidence, and decisions by its forms, with htmx and without."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from apps.drives.models import DriveName
from apps.moderation.models import Decision, Report, Subject
from apps.moderation.roles import CATALOGUE_EDITOR, VIEWER
from apps.moderation.selectors.queue import QueueKind, counts
from apps.moderation.selectors.reports import find_report
from apps.plans.models import Plan, Price
from apps.runs.imported.services import record_import
from apps.runs.models import (
    Outcome,
    Run,
    RunDrive,
    RunRuling,
    Upload,
    UploaderCluster,
    UploaderMerge,
)
from tests import make
from tests.pages.site import main_of
from tests.support.accounts.people import make_person
from tests.support.accounts.staff import REASON, at_desk, make_report, make_staff

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as Answer

pytestmark = pytest.mark.django_db
A = Decision.Action


def uploaded(**changes: object) -> Run:
    """Return a run with its upload, not of an agent's document."""
    upload = make.upload(state="done")
    return make.run(id=upload.pk, slug=str(upload.pk), upload=upload, **changes)


def quarantined() -> Run:
    run = uploaded(outcome=Outcome.QUARANTINE, in_standings=False, plan=make.plan())
    make.label(run=run, rule="near-copy", outcome=Outcome.QUARANTINE, keeps_out="run")
    make.measurement(run=run)
    return run


def disputed() -> Run:
    run = uploaded(outcome=Outcome.LABEL, plan=make.plan())
    make.label(run=run, rule="placement-conflict", figures=None)
    return run


def unknown_name() -> DriveName:
    name = DriveName.objects.create(
        key=f"k{make.number()}", vendor="", model=f"ACME {make.number()}"
    )
    RunDrive.objects.create(run=make.run(), place=0, name=name)
    return name


def unknown_plan() -> Plan:
    plan = make.plan(is_listed=False, is_seen=False)
    make.run(plan=plan)
    return plan


def output() -> Run:
    """Return a run of an output whose sender names a plan that no catalogue has."""
    return record_import(make.output(claimed_plan="Nobody's Box"))


def cluster() -> UploaderCluster:
    names = [f"network:{make.number():032x}" for _ in range(2)]
    for name in names:
        make.run(uploader=name, machine="")
    return UploaderCluster.objects.create(
        rule=UploaderCluster.Rule.BORN, uploaders=names, evidence={}, found_at=make.NOON
    )


def one_of_each() -> dict[QueueKind, str]:
    price = make.price(is_disputed=True)
    report = find_report(make_report(subject_id=uploaded().slug))
    assert report
    return {
        QueueKind.CLUSTER: str(cluster().pk),
        QueueKind.QUARANTINED: quarantined().slug,
        QueueKind.DISPUTED: disputed().slug,
        QueueKind.REPORTED: str(report.pk),
        QueueKind.NAME: unknown_name().key,
        QueueKind.PLAN: unknown_plan().slug,
        QueueKind.OUTPUT: output().slug,
        QueueKind.PRICE: str(price.pk),
    }


def act(user: User, action: str, *tokens: str, **more: str) -> Answer:
    form = {"action": action, "ready": REASON, "item": list(tokens), **more}
    return at_desk(user).post("/desk/act/", form)


def text(user: User, address: str) -> str:
    answer = at_desk(user).get(address)
    assert answer.status_code == 200, address
    return main_of(answer.content.decode())


@pytest.mark.parametrize("address", ["/desk/", "/zh-hans/desk/"])
def test_who_has_no_role_is_told_so(db: None, address: str) -> None:
    answer = at_desk(make_person()).get(address)
    assert answer.status_code == 403
    words = "owner of the site" if address == "/desk/" else "管理者"
    assert words in main_of(answer.content.decode())


def test_every_kind_waits_in_one_queue_and_has_its_evidence(moderator: User) -> None:
    keys = one_of_each()
    assert counts() == dict.fromkeys(QueueKind, 1)
    page = text(moderator, "/desk/")
    for kind, key in keys.items():
        assert f'value="{kind}:{key}"' in page
        assert f'value="{kind}:{key}"' in text(moderator, f"/desk/?kind={kind}")
        assert f'value="{kind}:{key}"' in text(moderator, f"/desk/{kind}/{key}/")


def test_the_oldest_comes_first(moderator: User) -> None:
    newer, older = quarantined(), quarantined()
    Upload.objects.filter(pk=older.pk).update(received_at=make.NOON.replace(year=2024))
    page = text(moderator, "/desk/")
    assert page.index(older.slug) < page.index(newer.slug)


def test_a_run_lies_beside_those_of_its_plan_its_labels_its_key_and_its_uploader(
    moderator: User,
) -> None:
    run = quarantined()
    for rate in (500.0, 2000.0, 3000.0):
        make.measurement(run=make.run(plan=run.plan, uploader=run.uploader), rate_per_s=rate)
    page = text(moderator, f"/desk/quarantined/{run.slug}/")
    assert "1 of 3 other runs of the plan are slower" in page
    assert "3 other runs" in page
    assert run.upload
    assert str(run.upload.key) in page
    assert page.count("<circle") == 4


def test_the_account_of_a_moderator_leads_to_the_desk(moderator: User) -> None:
    assert 'href="/desk/"' in text(moderator, "/account/")
    assert 'href="/desk/"' not in text(make_person("reader@example.org"), "/account/")


def test_runs_of_one_plan_are_told_apart(moderator: User) -> None:
    run = quarantined()
    assert run.upload
    line = text(moderator, "/desk/").split("data-item")[1]
    rate = run.measurements.get().rate_per_s
    assert rate
    assert f"{round(rate):,}\N{NO-BREAK SPACE}/s, {run.upload.key}" in line


def test_who_decides_about_one_thing_comes_back_to_the_queue_that_led_there(
    moderator: User,
) -> None:
    run = quarantined()
    queue = text(moderator, "/desk/?kind=quarantined")
    address = f"/desk/quarantined/{run.slug}/?kind=quarantined"
    assert f'href="{address}"' in queue
    assert '<input type="hidden" name="kind" value="quarantined">' in text(moderator, address)
    answer = act(moderator, A.KEEP, f"quarantined:{run.slug}", kind="quarantined")
    assert answer.headers["Location"].startswith("/desk/?kind=quarantined&done=")


def test_a_cluster_says_what_it_has_in_common(moderator: User) -> None:
    cluster()
    line = text(moderator, "/desk/").split("data-item")[1]
    assert "many new keys on one plan" in line
    assert "born-together" not in line


def test_a_decision_without_script_leads_to_the_queue_and_to_its_undo(moderator: User) -> None:
    run = quarantined()
    answer = act(moderator, A.EXCLUDE, f"quarantined:{run.slug}", reason="It has  \n my name.")
    assert answer.status_code == 303
    (made,) = Decision.objects.all()
    assert made.reason == f"{REASON}\nIt has my name."
    page = text(moderator, answer.headers["Location"])
    assert f'name="decision" value="{made.pk}"' in page
    assert f'value="quarantined:{run.slug}"' not in page
    assert at_desk(moderator).post("/desk/undo/", {"decision": made.pk}).status_code == 303
    assert Decision.objects.get(undoes=made).reason == "Our mistake."
    assert not RunRuling.objects.exists()


def test_htmx_gets_the_queue_alone(moderator: User) -> None:
    form = {"action": A.KEEP, "ready": REASON, "item": f"quarantined:{quarantined().slug}"}
    client, headers = at_desk(moderator), {"HX-Request": "true"}
    answer = client.post("/desk/act/", form, headers=headers)
    page = answer.content.decode()
    assert answer.status_code == 200
    assert page.lstrip().startswith('<div id="queue">')
    assert answer.headers["HX-Push-Url"].startswith("/desk/?done=")


def test_a_bulk_that_does_not_suit_all_does_nothing_and_keeps_the_ticks(moderator: User) -> None:
    run, name = quarantined(), unknown_name()
    tokens = (f"quarantined:{run.slug}", f"name:{name.key}")
    answer = act(moderator, A.EXCLUDE, *tokens)
    page = answer.content.decode()
    assert answer.status_code == 422
    assert 'role="alert"' in page
    assert page.count("checked") == 2
    assert not Decision.objects.exists()


def test_a_report_is_named_as_its_run(moderator: User) -> None:
    run = uploaded(plan=make.plan(name="AX102"), measured_at=make.NOON)
    make_report(subject_id=run.slug)
    make_report(subject_id="gone")
    page = at_desk(moderator).get("/desk/?kind=reported").content.decode()
    assert "AX102" in page
    assert "2025-06-15" in page
    assert f"{run.slug}</a>" not in page
    assert "gone" in page


def test_what_is_decided_about_a_reported_run_answers_the_report(moderator: User) -> None:
    run = uploaded()
    token = make_report(subject_id=run.slug)
    report = find_report(token)
    assert report
    act(moderator, A.EXCLUDE, f"reported:{report.pk}")
    report.refresh_from_db()
    assert report.state == Report.State.ANSWERED
    assert RunRuling.objects.filter(run_id=run.pk).exists()
    batches = set(Decision.objects.values_list("batch", flat=True))
    assert len(batches) == 1
    decided = list(Decision.objects.values_list("pk", flat=True))
    at_desk(moderator).post("/desk/undo/", {"decision": decided})
    report.refresh_from_db()
    assert report.state == Report.State.OPEN
    assert not RunRuling.objects.exists()


def test_corrections_by_the_forms_of_one_thing(moderator: User) -> None:
    plan, name, price = unknown_plan(), unknown_name(), make.price(is_disputed=True)
    family = make.drive_family()
    given = {"family": family.slug, "pattern": f"^{name.model}"}
    act(moderator, "map-name", f"name:{name.key}", **given)
    act(moderator, "accept-plan", f"plan:{plan.slug}", name="A better name")
    act(moderator, "settle-price", f"price:{price.pk}")
    name.refresh_from_db()
    plan.refresh_from_db()
    assert name.family == family
    assert plan.name == "A better name"
    assert not Price.objects.get(pk=price.pk).is_disputed
    assert set(counts().values()) == {0}


def test_a_cluster_is_one_or_several_and_an_undo_leaves_no_opinion(moderator: User) -> None:
    found = cluster()
    for action, state in (("merge", "kept"), ("split", "split")):
        assert act(moderator, action, f"cluster:{found.pk}").status_code == 303
        found.refresh_from_db()
        assert found.state == state
        assert UploaderMerge.objects.count() == (action == "merge")
        made = Decision.objects.latest("pk")
        at_desk(moderator).post("/desk/undo/", {"decision": made.pk})
        found.refresh_from_db()
        assert found.state == "waiting"
        assert not UploaderMerge.objects.exists()
        assert UploaderCluster.objects.count() == 1


def test_a_viewer_sees_and_decides_nothing() -> None:
    viewer, run = make_staff(VIEWER), quarantined()
    page = text(viewer, f"/desk/quarantined/{run.slug}/")
    assert run.slug in page
    assert "<form" not in page
    assert act(viewer, A.EXCLUDE, f"quarantined:{run.slug}").status_code == 403
    assert not Decision.objects.exists()


def test_an_editor_corrects_the_catalogue_and_excludes_nothing() -> None:
    editor, plan, run = make_staff(CATALOGUE_EDITOR), unknown_plan(), quarantined()
    assert act(editor, A.EXCLUDE, f"quarantined:{run.slug}").status_code == 403
    assert act(editor, "accept-plan", f"plan:{plan.slug}").status_code == 303
    assert Decision.objects.get().role == "catalogue editor"


def test_nothing_of_that_name_waits(moderator: User) -> None:
    for address in ("/desk/quarantined/nothing/", "/desk/strange/x/", "/desk/price/1e9/"):
        assert at_desk(moderator).get(address).status_code == 404


def test_a_reply_is_shown_on_the_page_of_its_plan(moderator: User) -> None:
    plan = make.plan()
    kind = Report.Kind.REPLY.value
    report = find_report(make_report(Subject.PLAN, plan.slug, kind=kind, text="We <b>agree</b>."))
    assert report
    before = at_desk(moderator).get(f"/plans/{plan.slug}/").content.decode()
    assert "agree" not in before
    act(moderator, A.SHOW, f"reported:{report.pk}")
    page = at_desk(moderator).get(f"/plans/{plan.slug}/").content.decode()
    assert "We &lt;b&gt;agree&lt;/b&gt;." in page
    assert f"/moderation/?plan={plan.slug}" in page


def test_plans_whose_price_is_old_are_listed_for_staff_alone() -> None:
    old = make.price(valid_from=date(2024, 1, 1)).plan
    fresh = make.price(valid_from=timezone.now().date()).plan
    staff = at_desk(make_staff(VIEWER))
    assert 'href="/desk/prices/"' in staff.get("/desk/").content.decode()
    page = main_of(staff.get("/desk/prices/").content.decode())
    assert f'href="/plans/{old.slug}/"' in page
    assert "2024-01-01" in page
    assert fresh.slug not in page
    Price.objects.all().delete()
    assert "Nothing waits." in staff.get("/desk/prices/").content.decode()
