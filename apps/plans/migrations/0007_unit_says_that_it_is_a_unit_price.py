"""A price with a unit is a unit price: the flag beside it goes."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = (("plans", "0006_facts_from_words"),)

    operations = (migrations.RemoveField(model_name="price", name="is_unit_price"),)
