"""One connection for reading and for replacing tables, so that all of it is undone after a test."""

import pytest
from django.db import connections


@pytest.fixture(autouse=True)
def one_connection(request):
    """Let the application share the owner's transaction; the other would wait for it for ever."""
    if not request.node.get_closest_marker("django_db"):
        yield
        return
    request.getfixturevalue("db")
    kept = connections["default"]
    connections["default"] = connections["owner"]
    yield
    connections["default"] = kept
