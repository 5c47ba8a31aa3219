"""What a provider answers: its note, who signed it, and the day."""

from django.core.validators import MaxLengthValidator
from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = (("plans", "0003_search"),)

    operations = (
        migrations.AddField(
            model_name="provider",
            name="note",
            field=models.TextField(blank=True, default="", validators=[MaxLengthValidator(4_000)]),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="provider",
            name="note_by",
            field=models.CharField(blank=True, default="", max_length=120),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="provider",
            name="note_on",
            field=models.DateField(blank=True, null=True),
        ),
        migrations.AddConstraint(
            model_name="provider",
            constraint=models.CheckConstraint(
                name="provider_note_is_signed_and_dated",
                condition=Q(note="", note_by="", note_on__isnull=True)
                | Q(~Q(note=""), ~Q(note_by=""), note_on__isnull=False),
                violation_error_message=(
                    "A note needs its text, who signed it and the day; leave all three empty for "
                    "none."
                ),
            ),
        ),
    )
