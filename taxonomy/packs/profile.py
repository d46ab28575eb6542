"""Parsing and formatting of hospital.yaml, the profile of a hospital."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import phonenumbers
import yaml
from django.db.models import CharField

from taxonomy.packs import more_of_profile
from taxonomy.packs.cells import CODES, decode, one_of, read_key, reader
from taxonomy.packs.findings import NOWHERE, CellPlace, Findings
from zol.models import PHONES, Hospital, HospitalHost
from zol.records.values import WrongValue, check_country, check_phone

PROFILE = "hospital.yaml"
#: Host names as in a browser, without scheme and port.
HOST = re.compile(r"(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_])?|\[[0-9a-f:.]+\])")

_FIELDS = {
    each.name: each
    for each in Hospital._meta.concrete_fields
    if each.editable and not each.primary_key
}
TEXTS = [name for name, each in _FIELDS.items() if isinstance(each, CharField)]
#: The country of a hospital that names none.
HOME = str(_FIELDS["country"].get_default())
LISTS = ("hosts", "languages")
NEEDED = ("slug", "name", "short_name")
_OTHERS = (name for name in _FIELDS if name not in NEEDED)
#: The order of the fields in a file, before those of other apps.
ORDER = (*NEEDED, "hosts", *_OTHERS)


def more_fields() -> dict[str, Any]:
    """Return the fields that other apps store, by name.

    Each parses a YAML node (`read`), loads the value of a hospital (`of`), formats it for YAML
    (`to_yaml`) and saves it (`write`).
    """
    return {each.name: each for fields in more_of_profile for each in fields()}


@dataclass(frozen=True, slots=True)
class ProfileRecord:
    """The profile of a hospital: the fields of its model, and its host names."""

    slug: str
    fields: Mapping[str, Any]
    hosts: tuple[str, ...]
    place: CellPlace = field(default=NOWHERE, compare=False)
    #: Values of the fields of other apps.
    more: Mapping[str, Any] = field(default_factory=dict)

    @property
    def whole(self) -> ProfileRecord:
        """The profile with defaults of the model for fields that the file omits."""
        row = Hospital(slug=self.slug, **self.fields)
        fields = {name: getattr(row, name) for name in _FIELDS if name != "slug"}
        return replace(self, fields=fields)


def country_and_language(profile: ProfileRecord) -> tuple[str, str] | None:
    """Return country and language of a profile; None if one of them is invalid."""
    country = profile.fields.get("country") or HOME
    language = profile.fields.get("default_language") or "nl"
    is_country = country.upper() in phonenumbers.SUPPORTED_REGIONS
    return (country, language) if is_country and language in CODES else None


def profile_of(hospital: Hospital) -> ProfileRecord:
    fields = {name: getattr(hospital, name) for name in _FIELDS if name != "slug"}
    hosts = HospitalHost.objects.filter(hospital=hospital).values_list("host", flat=True)
    more = {name: each.of(hospital) for name, each in more_fields().items()}
    return ProfileRecord(hospital.slug, fields, tuple(hosts), more=more)


def profile_text(record: ProfileRecord) -> bytes:
    more = {n: each.to_yaml(record.more.get(n, {})) for n, each in more_fields().items()}
    values = {**record.fields, "slug": record.slug, "hosts": list(record.hosts), **more}
    filled = {name: values[name] for name in (*ORDER, *more) if values[name] not in ("", [], {})}
    return yaml.safe_dump(filled, allow_unicode=True, sort_keys=False).encode()


def read_profile(data: bytes, findings: Findings) -> ProfileRecord | None:
    """Parse the file; return None if it is no YAML mapping."""
    top = _compose(data, findings)
    if top is None:
        return None
    more, values = more_fields(), dict[str, Any]()
    nodes = dict(_nodes(top, {*ORDER, *more}, findings))
    for name, node in nodes.items():
        if name in more:
            values[name] = more[name].read(node, findings)
        else:
            values[name] = (_list if name in LISTS else _text)(name, node, findings)
    for name, sentence in _problems(values):
        place = place_of(nodes[name]) if name in nodes else CellPlace(PROFILE, 1, 1)
        findings.wrong(place, f"{name}: {sentence}.")
    fields = {name: values[name] for name in TEXTS if name in values and name != "slug"}
    if values.get("languages"):
        fields["languages"] = values["languages"]
    hosts, others = tuple(values.get("hosts", ())), {name: values.get(name, {}) for name in more}
    return ProfileRecord(values.get("slug", ""), fields, hosts, CellPlace(PROFILE, 1, 1), others)


def _nodes(
    top: yaml.MappingNode, known: set[str], findings: Findings
) -> Iterator[tuple[str, yaml.Node]]:
    seen = set()
    for key, node in top.value:
        if key.value in seen:
            findings.wrong(place_of(key), f"{key.value} stands there twice.")
        elif key.value not in known:
            findings.warn(place_of(key), f"The field {key.value} is unknown and not read.")
        else:
            yield key.value, node
        seen.add(key.value)


def _compose(data: bytes, findings: Findings) -> yaml.MappingNode | None:
    text = decode(data, PROFILE, findings)
    if text is None:
        return None
    try:
        top = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line, column = (mark.line, mark.column) if mark else (0, 0)
        sentence = f"This is not YAML: {getattr(error, 'problem', None) or error}."
        findings.wrong(CellPlace(PROFILE, line + 1, column + 1), sentence)
        return None
    if not isinstance(top, yaml.MappingNode):
        findings.wrong(CellPlace(PROFILE, 1, 1), "The file holds no fields.")
        return None
    return top


def place_of(node: yaml.Node) -> CellPlace:
    return CellPlace(PROFILE, node.start_mark.line + 1, node.start_mark.column + 1)


def _text(name: str, node: yaml.Node, findings: Findings) -> str:
    if not isinstance(node, yaml.ScalarNode):
        findings.wrong(place_of(node), f"{name}: a text belongs here.")
        return ""
    return "" if node.tag == "tag:yaml.org,2002:null" else str(node.value).strip()


def _list(name: str, node: yaml.Node, findings: Findings) -> list[str]:
    if not isinstance(node, yaml.SequenceNode):
        findings.wrong(place_of(node), f"{name}: a list belongs here.")
        return []
    known = f"language: {', '.join(sorted(CODES))}"
    wanted = {"languages": known, "hosts": "host name such as www.example.org, without https://"}
    found: list[str] = []
    for item in node.value:
        text = str(item.value).lower() if isinstance(item, yaml.ScalarNode) else ""
        if not text or text in found:
            problem = f"“{text}” stands there twice" if text else "each is a text"
            findings.wrong(place_of(item), f"{name}: {problem}.")
        elif not (text in CODES if name == "languages" else HOST.fullmatch(text)):
            findings.wrong(place_of(item), f"{name}: “{item.value}” is not a {wanted[name]}.")
        found.append(text)
    return found


def _problems(values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield missing and invalid fields, with the reason."""
    missing = (name for name in (*NEEDED, "hosts") if not values.get(name))
    yield from ((name, "the field is missing") for name in missing)
    country = values.get("country") or HOME
    checks: list[tuple[str, Callable[[Any], object]]] = [
        ("slug", read_key), ("country", check_country),
        ("default_language", one_of(values.get("languages") or CODES)),
    ]  # fmt: skip
    if country.upper() in phonenumbers.SUPPORTED_REGIONS:
        checks += [(name, partial(check_phone, country=country)) for name in PHONES]
    for name in TEXTS:
        try:
            if text := values.get(name):
                reader(_FIELDS[name], checks)(text)
        except WrongValue as error:
            yield name, str(error).rstrip(".")
