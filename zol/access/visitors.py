"""IP address of a visitor, also behind trusted proxies."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest, HttpResponse

Respond = Callable[[HttpRequest], HttpResponse]

#: Headers that are accepted from trusted proxies only.
PROXY_HEADERS = ("HTTP_X_FORWARDED_FOR", "HTTP_X_FORWARDED_PROTO", "HTTP_X_FORWARDED_HOST")
#: Headers that reveal a proxy.
SIGNS_OF_PROXIES = (*PROXY_HEADERS, "HTTP_FORWARDED", "HTTP_VIA", "HTTP_X_REAL_IP")
#: Set for requests through a proxy that is not trusted, or that hides the visitor's address.
RELAYED = "zol.relayed"


def visitor_at(peer: str, forwarded: str, proxies: Iterable[str]) -> str:
    """Return the visitor's address: the last one in the chain that is not a trusted proxy.

    Earlier ones are not reliable: the visitor may have written them.
    """
    trusted = networks(tuple(proxies))
    chain = [hop.strip() for hop in forwarded.split(",") if hop.strip()]
    address = peer
    while chain and is_trusted(address, trusted):
        address = chain.pop()
    return household(address)


def household(address: str) -> str:
    """Return an address; of IPv6 its /64 network, which belongs to one household or phone."""
    try:
        found = ip_address(address)
    except ValueError:
        return "unknown"
    if isinstance(found, IPv6Address):
        return str(found.ipv4_mapped or ip_network((found, 64), strict=False))
    return str(found)


def is_trusted(address: str, trusted: Iterable[IPv4Network | IPv6Network]) -> bool:
    """Return whether an address or network lies in one of these networks."""
    try:
        found = ip_network(address)
    except ValueError:
        return False
    return any(
        found.version == each.version and found.subnet_of(each)  # type: ignore[arg-type]
        for each in trusted
    )


@cache
def networks(proxies: tuple[str, ...]) -> tuple[IPv4Network | IPv6Network, ...]:
    """Return the networks of trusted proxies from their texts in the settings."""
    try:
        return tuple(ip_network(proxy.strip(), strict=False) for proxy in proxies)
    except ValueError as error:
        message = f"TRUSTED_PROXIES holds what is no address and no network: {error}"
        raise ImproperlyConfigured(message) from error


class ProxyMiddleware:
    """Set the visitor's address; drop proxy headers unless they come from a trusted proxy."""

    def __init__(self, get_response: Respond) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        peer = request.META.get("REMOTE_ADDR", "")
        forwarded = request.META.get("HTTP_X_FORWARDED_FOR", "")
        request.META["REMOTE_ADDR"] = visitor_at(peer, forwarded, settings.TRUSTED_PROXIES)
        is_ours = is_trusted(peer, networks(tuple(settings.TRUSTED_PROXIES)))
        is_relayed = any(request.META.get(header) for header in SIGNS_OF_PROXIES)
        request.META[RELAYED] = is_relayed and not (is_ours and forwarded)
        if not is_ours:
            for header in PROXY_HEADERS:
                request.META.pop(header, None)
        return self.get_response(request)


def address_of(request: HttpRequest) -> str | None:
    """Return the visitor's address; for IPv6 the first one of its /64 network."""
    address = str(request.META.get("REMOTE_ADDR", "unknown")).partition("/")[0]
    return None if address == "unknown" else address


def is_internal(request: HttpRequest) -> bool:
    """Return whether a request comes from an internal network, and not through a hiding proxy."""
    ours = networks(tuple(settings.INTERNAL_NETWORKS))
    return not request.META.get(RELAYED) and is_trusted(request.META["REMOTE_ADDR"], ours)


def visitor_of(scope: dict[str, Any]) -> str:
    """Return the address of a socket's client."""
    forwarded = (value for name, value in scope["headers"] if name == b"x-forwarded-for")
    peer = (scope.get("client") or ("", 0))[0]
    return visitor_at(peer, b",".join(forwarded).decode("latin1"), settings.TRUSTED_PROXIES)
