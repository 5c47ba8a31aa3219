"""What changed, for those who keep a copy of the API, and changes of tiers."""

from __future__ import annotations

from typing import Final

import django.db.models.deletion
from django.db import migrations, models

FUNCTIONS: Final = """
    CREATE SEQUENCE public_change_number;
    CREATE FUNCTION note_public_change(its_kind text, its_slug text) RETURNS void LANGUAGE sql AS $$
        INSERT INTO rankings_publicchange (kind, slug, is_gone, changed_at)
            VALUES (its_kind, its_slug, false, clock_timestamp())
            ON CONFLICT (kind, slug) DO UPDATE
                SET is_gone = false, changed_at = excluded.changed_at, number = NULL
    $$;
    CREATE FUNCTION note_public_end(its_kind text, its_slug text) RETURNS void LANGUAGE sql AS $$
        UPDATE rankings_publicchange
            SET is_gone = true, changed_at = clock_timestamp(), number = NULL
            WHERE kind = its_kind AND slug = its_slug
    $$;
    CREATE FUNCTION note_change_of_run() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF TG_OP = 'DELETE' THEN
            PERFORM note_public_end('run', OLD.slug);
        ELSIF NEW.is_listed THEN
            PERFORM note_public_change('run', NEW.slug);
        ELSE  -- one that never was in a list is not named here either
            PERFORM note_public_end('run', NEW.slug);
        END IF;
        RETURN NULL;
    END $$;
    CREATE FUNCTION note_change_of_slug() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF TG_OP = 'DELETE' THEN
            PERFORM note_public_end(TG_ARGV[0], OLD.slug);
        ELSE
            PERFORM note_public_change(TG_ARGV[0], NEW.slug);
        END IF;
        RETURN NULL;
    END $$;
    CREATE FUNCTION note_change_of_price() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF TG_OP = 'DELETE' THEN
            UPDATE rankings_publicchange SET changed_at = clock_timestamp(), number = NULL
                WHERE kind = 'plan' AND slug = OLD.plan_id;
        ELSE
            PERFORM note_public_change('plan', NEW.plan_id);
        END IF;
        RETURN NULL;
    END $$;
"""
NO_FUNCTIONS: Final = """
    DROP FUNCTION note_change_of_price();
    DROP FUNCTION note_change_of_slug();
    DROP FUNCTION note_change_of_run();
    DROP FUNCTION note_public_end(text, text);
    DROP FUNCTION note_public_change(text, text);
    DROP SEQUENCE public_change_number;
"""
# What is written again as it was is no change: a load of the catalogue does that to all of it.
TRIGGERS: Final = (
    ("public_change_run", "INSERT OR UPDATE OR DELETE ON runs_run", "note_change_of_run()"),
    ("public_change_plan", "INSERT OR DELETE ON plans_plan", "note_change_of_slug('plan')"),
    (
        "public_change_plan_again",
        "UPDATE ON plans_plan FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*)",
        "note_change_of_slug('plan')",
    ),
    (
        "public_change_drive",
        "INSERT OR DELETE ON drives_drivefamily",
        "note_change_of_slug('drive')",
    ),
    (
        "public_change_drive_again",
        "UPDATE ON drives_drivefamily FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*)",
        "note_change_of_slug('drive')",
    ),
    ("public_change_price", "INSERT OR DELETE ON plans_price", "note_change_of_price()"),
    (
        "public_change_price_again",
        "UPDATE ON plans_price FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*)",
        "note_change_of_price()",
    ),
)
# Who begins a copy gets all that is there by the same address: a change each. The triggers come
# first, and keep writers out until the end: what is committed before is there to be copied.
ALL_THAT_IS_THERE: Final = """
    INSERT INTO rankings_publicchange (kind, slug, is_gone, changed_at)
        SELECT 'plan', slug, false, now() FROM plans_plan
        UNION ALL SELECT 'drive', slug, false, now() FROM drives_drivefamily
        UNION ALL SELECT 'run', slug, false, now() FROM runs_run WHERE is_listed
"""


def trigger(name: str, event: str, function: str) -> migrations.RunSQL:
    """Return the operation that watches a table, row by row."""
    rows = event if "FOR EACH ROW" in event else f"{event} FOR EACH ROW"
    table = event.split(" ON ")[1].split()[0]
    return migrations.RunSQL(
        f"CREATE TRIGGER {name} AFTER {rows} EXECUTE FUNCTION {function}",
        f"DROP TRIGGER {name} ON {table}",
    )


class Migration(migrations.Migration):
    dependencies = (
        ("drives", "0005_family_sources"),
        ("plans", "0060_held_names"),
        ("rankings", "0074_months"),
        ("runs", "0077_commits_by_mean"),
    )
    operations = (
        migrations.CreateModel(
            name="PublicChange",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("kind", models.CharField(max_length=8)),
                ("slug", models.CharField(max_length=160)),
                ("is_gone", models.BooleanField(default=False)),
                ("changed_at", models.DateTimeField()),
                ("number", models.BigIntegerField(null=True, unique=True)),
            ],
            options={
                "constraints": (
                    models.UniqueConstraint(
                        fields=("kind", "slug"), name="public_change_once_a_thing"
                    ),
                ),
                "indexes": (
                    models.Index(
                        condition=models.Q(("number__isnull", True)),
                        fields=["id"],
                        name="public_change_waiting",
                    ),
                ),
            },
        ),
        migrations.CreateModel(
            name="RankChange",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("day", models.DateField()),
                ("evidence", models.CharField(max_length=16)),
                ("workload", models.CharField(max_length=64)),
                ("version", models.PositiveSmallIntegerField()),
                ("region_group", models.CharField(blank=True, max_length=16)),
                ("variant", models.PositiveSmallIntegerField(default=0)),
                ("tier_before", models.PositiveIntegerField(null=True)),
                ("tier", models.PositiveIntegerField(null=True)),
                (
                    "drive_family",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="drives.drivefamily",
                    ),
                ),
                (
                    "plan",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="plans.plan",
                    ),
                ),
            ],
        ),
        migrations.RunSQL(FUNCTIONS, NO_FUNCTIONS),
        *(trigger(*each) for each in TRIGGERS),
        migrations.RunSQL(ALL_THAT_IS_THERE, migrations.RunSQL.noop),
    )
