"""The application that serves the small hospital, for tests that ask it in this process."""

from typing import Any

import pytest


@pytest.fixture
def application(mini: Any) -> Any:
    """It looks at the database's indexes before it serves, which a test without a thread must do."""
    import zol.asgi

    return zol.asgi.application
