"""Uploads are counted by network as attempts are."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0071_names_of_nobodys_keys")]

    operations = [
        migrations.AlterField(
            model_name="attempt",
            name="kind",
            field=models.CharField(
                choices=[
                    ("code", "Code"),
                    ("claim", "Claim"),
                    ("login", "Login"),
                    ("statement", "Statement"),
                    ("upload", "Upload"),
                ],
                max_length=16,
            ),
        ),
    ]
