"""Any host header, origin or widget key leads to a hospital or is refused."""

import pytest

from tests.answering import HOST
from zol.access import hosts
from zol.access.hosts import admitted, hospital_at, hospital_of_widget
from zol.models import WidgetKey


@pytest.mark.parametrize("key", ["\x00", "\ud800", "x" * 5_000])
def test_what_cannot_be_a_key_is_nobodys_and_is_not_remembered(db, key):
    assert hospital_of_widget(key) is None
    assert ("key", key) not in hosts._remembered


def test_a_host_that_is_longer_than_any_name_is_nobodys(db):
    assert hospital_at("x" * 300) is None
    assert hosts._remembered == {}


def test_a_page_asked_for_with_half_a_key_is_not_found(mini, client):
    assert client.get("/?widget=%00", headers={"host": HOST}).status_code == 404


def scope(origin=b"", query=b"", host=b"azm-mini.localhost"):
    headers = [(b"host", host)] + ([(b"origin", origin)] if origin else [])
    return {"headers": headers, "query_string": query}


@pytest.mark.parametrize(
    "odd",
    [*({"origin": origin} for origin in (b"http://[", b"http://[::1", b"null")),
     {"query": b"widget=\xff"}],
)  # fmt: skip
def test_an_origin_that_is_no_address_and_a_query_that_is_no_text_name_nobody(mini, odd):
    assert admitted(scope(**odd)) is None


def test_a_widget_is_admitted_from_its_own_sites_only(mini):
    site = "https://www.azm-mini.example"
    key = WidgetKey.objects.create(hospital=mini, origins=[site]).key
    query = f"widget={key}".encode()
    try:
        assert admitted(scope(site.encode(), query, b"chat.example")) == mini
        assert admitted(scope(b"https://kwaad.example", query, b"chat.example")) is None
    finally:
        WidgetKey.objects.filter(key=key).delete()
