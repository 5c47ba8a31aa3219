"""Notes each transaction that changes what shared pages show; see apps.rankings.versions.data."""

from __future__ import annotations

from typing import Final

from django.db import migrations, models

# The function adds one row a transaction, whatever the number of statements. The setting goes back
# with a savepoint that is rolled back, as the row does.
FUNCTION: Final = """
    CREATE FUNCTION note_data_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF current_setting('fsyncmark.noted', true) IS DISTINCT FROM pg_current_xact_id()::text THEN
            INSERT INTO rankings_datachange DEFAULT VALUES;
            PERFORM set_config('fsyncmark.noted', pg_current_xact_id()::text, true);
        END IF;
        RETURN NULL;
    END $$
"""
ANY: Final = "INSERT OR UPDATE OR DELETE"
# What pages show, and which changes of it count. An upload itself is not among them: it marks
# cells, and its run is seen as soon as they are computed.
TABLES: Final = {
    "accounts_agentkey": "UPDATE",
    "accounts_runnote": ANY,
    "drives_drivefamily": ANY,
    "drives_drivename": "UPDATE",
    "drives_familysource": ANY,
    "drives_ladderclass": ANY,
    "moderation_decision": ANY,
    "moderation_report": "UPDATE",
    "plans_exchangerate": ANY,
    "plans_plan": ANY,
    "plans_planruling": ANY,
    "plans_price": ANY,
    "plans_provider": ANY,
    "rankings_cellmark": "DELETE",
    "rankings_providerstanding": ANY,
    "rankings_standing": ANY,
    "rankings_standingrun": ANY,
    "rankings_standingsday": ANY,
    "runs_citation": ANY,
    "runs_importedfile": "UPDATE",
    "runs_runruling": ANY,
    "runs_tombstone": ANY,
    "runs_uploadercluster": ANY,
    "runs_uploadermerge": ANY,
}


def trigger(table: str, changes: str) -> migrations.RunSQL:
    """Return the operation that watches a table."""
    return migrations.RunSQL(
        f"CREATE TRIGGER note_data_change AFTER {changes} ON {table} "
        "FOR EACH STATEMENT EXECUTE FUNCTION note_data_change()",
        f"DROP TRIGGER note_data_change ON {table}",
    )


class Migration(migrations.Migration):
    dependencies = (
        ("accounts", "0071_names_of_nobodys_keys"),
        ("moderation", "0001_initial"),
        ("plans", "0060_held_names"),
        ("drives", "0005_family_sources"),
        ("rankings", "0070_levels"),
        ("runs", "0070_levels"),
    )
    operations = (
        migrations.CreateModel(
            name="DataChange",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
            ],
        ),
        migrations.RunSQL(FUNCTION, "DROP FUNCTION note_data_change()"),
        *(trigger(table, changes) for table, changes in TABLES.items()),
    )
