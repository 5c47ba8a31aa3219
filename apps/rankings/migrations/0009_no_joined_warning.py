from django.db import migrations


class Migration(migrations.Migration):
    dependencies = (("rankings", "0008_warnings_from_their_text"),)

    operations = (migrations.RemoveField("Standing", "warning"),)
