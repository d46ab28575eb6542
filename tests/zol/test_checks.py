"""`manage.py check` reports an invalid setting by name."""

import os
import subprocess
import sys

import pytest
from django.apps import apps
from django.core.checks import run_checks
from django.core.exceptions import ValidationError
from django.db.models import URLField


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


def test_https_where_no_proxy_is_believed_is_told(settings):
    settings.HTTPS = True

    assert told() == {"zol.https"}

    settings.TRUSTED_PROXIES = ["10.0.0.5"]
    assert told() == set()


def test_a_storage_that_there_is_not_is_told(settings):
    settings.STORAGES = {**settings.STORAGES, "default": {"BACKEND": "nowhere.Storage"}}

    assert told() == {"zol.media_url_backend"}


@pytest.mark.parametrize(
    ("asked", "bound"),
    [({}, "False False"), ({"HSTS_SUBDOMAINS": "on", "HSTS_PRELOAD": "on"}, "True True")],
)
def test_https_binds_other_names_of_the_hospital_only_where_somebody_asks(asked, bound, tmp_path):
    told = "zol.settings as s; print(s.SECURE_HSTS_INCLUDE_SUBDOMAINS, s.SECURE_HSTS_PRELOAD)"
    environment = os.environ | {"HTTPS": "on", "STATE_DIR": str(tmp_path)} | asked

    ran = subprocess.run(
        [sys.executable, "-c", f"import {told}"],
        env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip

    assert ran.stdout.strip() == bound


def test_no_address_of_a_row_may_be_a_script():
    for model in apps.get_models():
        for each in model._meta.concrete_fields:
            if isinstance(each, URLField):
                with pytest.raises(ValidationError):
                    each.run_validators("javascript:alert(1)")
