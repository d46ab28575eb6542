"""From a host name or a widget key to the hospital it stands for."""

from __future__ import annotations

import re
from time import monotonic

from zol.models import Hospital, HospitalHost, WidgetKey

#: A host name or key that is longer exists nowhere; neither does one that is not plain text.
LONGEST = 253
#: How long an answer is remembered, in seconds: a new host works within that time.
REMEMBERED = 2.0
_ORIGIN = re.compile(r"https?://[A-Za-z0-9.\-]+(:\d+)?")
_remembered: dict[tuple[str, str], tuple[float, Hospital | None]] = {}


def bare_host(host: str) -> str:
    """Return a host header without its port, in lower case."""
    host = host.strip().lower().rstrip(".")
    if host.startswith("["):
        return host.partition("]")[0] + "]"
    return host.partition(":")[0]


def is_origin(text: str) -> bool:
    """Whether a text is an origin as browsers send it and policies may name it."""
    return bool(_ORIGIN.fullmatch(text))


def hospital_at(host: str) -> Hospital | None:
    """Return the hospital of a host name, or None: the caller answers 404."""
    name = bare_host(host)
    return _recall(("host", name), lambda: HospitalHost.objects.filter(host=name))


def hospital_of_widget(key: str) -> Hospital | None:
    """Return the hospital of a public widget key in use."""
    return _recall(("key", key), lambda: WidgetKey.objects.filter(key=key, is_active=True))


def _recall(key: tuple[str, str], rows) -> Hospital | None:  # type: ignore[no-untyped-def]
    if len(key[1]) > LONGEST or not key[1].isascii() or not key[1].isprintable():
        return None
    now = monotonic()
    at, hospital = _remembered.get(key, (0.0, None))
    if at and now - at < REMEMBERED:
        return hospital
    row = rows().select_related("hospital").first()
    hospital = row.hospital if row else None
    if len(_remembered) > 10_000:
        _remembered.clear()
    _remembered[key] = (now, hospital)
    return hospital


def forget_hosts() -> None:
    """Forget what was remembered; for tests and for changes that must be seen at once."""
    _remembered.clear()
