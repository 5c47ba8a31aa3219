"""Registers Django's admin on a site of our own."""

from django.contrib.admin.apps import AdminConfig


class StaffAdminConfig(AdminConfig):
    """Django's admin, with apps.config.staff in front."""

    default_site = "apps.config.staff.StaffSite"
