"""Settings, addresses and processes: the one place that knows every app.

Whoever imports a part of it has our settings, unless others are named.
"""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "apps.config.settings")
