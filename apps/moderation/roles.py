"""Who may do what: four roles as groups, made anew with their permissions after each migration."""

from __future__ import annotations

from typing import Any, Final

from django.contrib.auth.management import create_permissions
from django.contrib.auth.models import Group, Permission, User
from django.db.models import Q

VIEWER: Final = "viewer"
MODERATOR: Final = "moderator"
CATALOGUE_EDITOR: Final = "catalogue editor"
OWNER: Final = "owner"

LOOKS: Final = Q(content_type__app_label="moderation", codename="look") | Q(
    content_type__app_label__in=("accounts", "drives", "intake", "moderation", "plans", "runs"),
    codename__startswith="view_",
)
DECIDES: Final = Q(content_type__app_label="moderation", codename="moderate")
WRITES_CATALOGUE: Final = Q(
    content_type__app_label__in=("drives", "plans"), codename__regex=r"^(add|change)_"
)
APPOINTS: Final = Q(
    content_type__app_label="auth",
    content_type__model="user",
    codename__in=("view_user", "change_user"),
)
ROLES: Final = {
    VIEWER: LOOKS,
    MODERATOR: LOOKS | DECIDES,
    CATALOGUE_EDITOR: LOOKS | WRITES_CATALOGUE,
    OWNER: LOOKS | DECIDES | WRITES_CATALOGUE | APPOINTS,
}
# The apps whose permissions stand above; Django makes those of an app when it has migrated it.
APPS: Final = frozenset({"accounts", "auth", "drives", "intake", "moderation", "plans", "runs"})


def make_roles(*, sender: Any, **_: Any) -> None:
    """Give each role the permissions that there are; a role that lost one loses it here too."""
    if sender.label not in APPS:
        return
    create_permissions(sender, verbosity=0)  # Django's own receiver may come after this one
    for name, permissions in ROLES.items():
        group, _is_new = Group.objects.get_or_create(name=name)
        group.permissions.set(Permission.objects.filter(permissions))


def role_of(user: User) -> str:
    """Return the role in which somebody decides: the most powerful that they have."""
    if user.is_superuser:
        return OWNER
    names = set(user.groups.values_list("name", flat=True))
    return next((each for each in (OWNER, MODERATOR, CATALOGUE_EDITOR) if each in names), VIEWER)
