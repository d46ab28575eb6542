"""The address of a visitor, also behind proxies; headers from visitors are not trusted."""

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import RequestFactory

from zol.access.visitors import ProxyMiddleware, is_internal, visitor_at, visitor_of

PROXIES = ("10.0.0.5", "10.1.0.0/16")


@pytest.mark.parametrize(
    ("peer", "forwarded", "visitor"),
    [
        pytest.param("192.0.2.1", "", "192.0.2.1", id="no proxy"),
        pytest.param("192.0.2.1", "1.1.1.1", "192.0.2.1", id="a stranger who names another"),
        pytest.param("10.0.0.5", "192.0.2.9", "192.0.2.9", id="behind our proxy"),
        pytest.param("10.0.0.5", "1.1.1.1, 192.0.2.9", "192.0.2.9", id="an invented hop before"),
        pytest.param("10.0.0.5", "192.0.2.9, 10.1.2.3", "192.0.2.9", id="two of our proxies"),
        pytest.param("10.0.0.5", "", "10.0.0.5", id="a proxy that tells nothing"),
        pytest.param("10.0.0.5", "nonsense", "unknown", id="a proxy that tells nonsense"),
        pytest.param("2001:db8:1:2:aaaa::1", "", "2001:db8:1:2::/64", id="one household of IPv6"),
        pytest.param("::ffff:192.0.2.1", "", "192.0.2.1", id="IPv4 written as IPv6"),
    ],
)
def test_the_visitor_is_the_last_hop_that_is_not_ours(peer, forwarded, visitor):
    assert visitor_at(peer, forwarded, PROXIES) == visitor


def test_a_setting_that_is_no_address_is_named():
    with pytest.raises(ImproperlyConfigured, match=r"TRUSTED_PROXIES.*proxy.example"):
        visitor_at("192.0.2.1", "", ("proxy.example",))


def passed_on(**meta):
    request = RequestFactory().get("/", **meta)
    ProxyMiddleware(lambda request: request)(request)
    return request.META


def test_what_a_stranger_says_of_his_connection_is_not_believed(settings):
    settings.TRUSTED_PROXIES = ["10.0.0.5"]
    said = {"HTTP_X_FORWARDED_PROTO": "https", "HTTP_X_FORWARDED_FOR": "192.0.2.9"}

    stranger = passed_on(REMOTE_ADDR="192.0.2.66", **said)
    proxy = passed_on(REMOTE_ADDR="10.0.0.5", **said)

    assert stranger["REMOTE_ADDR"] == "192.0.2.66"
    assert "HTTP_X_FORWARDED_PROTO" not in stranger
    assert (proxy["REMOTE_ADDR"], proxy["HTTP_X_FORWARDED_PROTO"]) == ("192.0.2.9", "https")


@pytest.mark.parametrize(
    ("peer", "said", "is_internal_"),
    [
        pytest.param("127.0.0.1", {}, True, id="a probe beside the process"),
        pytest.param("127.0.0.1", {"HTTP_X_FORWARDED_PROTO": "https"}, False, id="says not whom"),
        pytest.param("10.0.0.5", {"HTTP_VIA": "1.1 x"}, False, id="ours, says not whom"),
        pytest.param("10.0.0.5", {"HTTP_X_FORWARDED_FOR": "10.7.7.7"}, True, id="a monitor"),
        pytest.param("10.0.0.5", {"HTTP_X_FORWARDED_FOR": "192.0.2.9"}, False, id="a stranger"),
    ],
)
def test_who_comes_through_a_proxy_that_hides_from_where_is_a_stranger(
    settings, peer, said, is_internal_
):
    settings.TRUSTED_PROXIES = ["10.0.0.5"]
    request = RequestFactory().get("/", REMOTE_ADDR=peer, **said)
    ProxyMiddleware(lambda request: request)(request)

    assert is_internal(request) is is_internal_


def test_a_socket_has_the_same_visitor(settings):
    settings.TRUSTED_PROXIES = ["10.0.0.5"]
    scope = {"headers": [(b"x-forwarded-for", b"192.0.2.9")], "client": ["10.0.0.5", 1]}

    assert visitor_of(scope) == "192.0.2.9"
