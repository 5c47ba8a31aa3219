"""What tests of decisions share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.accounts.staff import make_staff

if TYPE_CHECKING:
    from django.contrib.auth.models import User


@pytest.fixture
def moderator(db: None) -> User:
    """Somebody who decides, with a second factor."""
    return make_staff()
