"""A setting that nobody could be served with is told by `manage.py check`, with its name."""

from __future__ import annotations

import pytest
from django.core.checks import run_checks


def told() -> set[str]:
    return {error.id for error in run_checks()}


def test_the_settings_of_the_tests_are_right():
    assert told() == set()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        pytest.param("TRUSTED_PROXIES", ["the proxy"], id="a name for an address"),
        pytest.param("INTERNAL_NETWORKS", ["10.0.0.0/99"], id="no network"),
        pytest.param("RATE_LIMITS", "often", id="no limit"),
        pytest.param(
            "EMBEDDING",
            {"provider": "best", "model": "", "dimensions": 0, "base_url": ""},
            id="no provider",
        ),
    ],
)
def test_a_setting_that_cannot_be_read_is_told(settings, name, value):
    setattr(settings, name, value)

    (found,) = run_checks()

    assert found.hint.startswith(f"Correct {name}")


def test_a_storage_that_there_is_not_is_told(settings):
    settings.STORAGES = {**settings.STORAGES, "default": {"BACKEND": "nowhere.Storage"}}

    assert told() == {"zol.media_url_backend"}
