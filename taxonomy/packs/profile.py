"""hospital.yaml: the hospital itself, read, compared and written by the fields of its model."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import phonenumbers
import yaml
from django.db.models import CharField

from taxonomy.packs import cells, more_of_profile
from taxonomy.packs.cells import CODES, KEY, decode
from taxonomy.packs.findings import NOWHERE, CellPlace, Findings
from zol.models import PHONES, Hospital, HospitalHost
from zol.records.values import WrongValue, check_country, check_phone

PROFILE = "hospital.yaml"
#: As a browser names it: no scheme, no port; how letters are written makes no difference.
HOST = re.compile(r"(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_])?|\[[0-9a-f:.]+\])")

_FIELDS = {
    each.name: each
    for each in Hospital._meta.concrete_fields
    if each.editable and not each.primary_key
}
#: The texts and how long they may be.
TEXTS = {name: e.max_length or 0 for name, e in _FIELDS.items() if isinstance(e, CharField)}
#: The country of a hospital that names none.
HOME = str(_FIELDS["country"].get_default())
LISTS = ("hosts", "languages")
NEEDED = ("slug", "name", "short_name")
_OTHERS = (name for name in _FIELDS if name not in NEEDED)
#: The fields as they are written; those of apps above come after.
ORDER = (*NEEDED, "hosts", *_OTHERS)


def more_fields() -> dict[str, Any]:
    """Return the fields that apps above keep in rows of their own, by name.

    Each reads a YAML node (`read`), returns what rows say (`of`), gives that the form of YAML
    (`written`) and lays it over the rows (`write`).
    """
    return {each.name: each for fields in more_of_profile for each in fields()}


@dataclass(frozen=True, slots=True)
class ProfileRecord:
    """The hospital itself: the fields of its model, and its host names."""

    slug: str
    fields: Mapping[str, Any]
    hosts: tuple[str, ...]
    place: CellPlace = field(default=NOWHERE, compare=False)
    #: What apps above keep of it, by field.
    more: Mapping[str, Any] = field(default_factory=dict)

    @property
    def whole(self) -> ProfileRecord:
        """The same with what a file leaves out, which has the default of the model."""
        told = Hospital(slug=self.slug, **self.fields)
        fields = {name: getattr(told, name) for name in _FIELDS if name != "slug"}
        return replace(self, fields=fields)


def country_and_language(profile: ProfileRecord) -> tuple[str, str] | None:
    """Return where the hospital is and what it speaks, or nothing when one of them is wrong."""
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
    more = {n: each.written(record.more.get(n, {})) for n, each in more_fields().items()}
    values = {**record.fields, "slug": record.slug, "hosts": list(record.hosts), **more}
    told = {name: values[name] for name in (*ORDER, *more) if values[name] not in ("", [], {})}
    return yaml.safe_dump(told, allow_unicode=True, sort_keys=False).encode()


def read_profile(data: bytes, findings: Findings) -> ProfileRecord | None:
    """Return what the file says, or nothing when it says nothing usable."""
    top = _compose(data, findings)
    if top is None:
        return None
    more = more_fields()
    readers: dict[str, Callable[[yaml.Node, Findings], Any]]
    readers = {name: partial(_text, name) for name in TEXTS}
    readers |= {name: partial(_list, name) for name in LISTS}
    readers |= {name: each.read for name, each in more.items()}
    said: dict[str, Any] = {}
    places: dict[str, CellPlace] = {}
    for key, node in top.value:
        name = str(key.value)
        places[name] = place_of(node)
        if said.get(name) not in (None, {}):
            findings.wrong(place_of(key), f"{name} stands there twice.")
        elif name in readers:
            said[name] = readers[name](node, findings)
        else:
            findings.warn(place_of(key), f"The field {name} is unknown and not read.")
    _check(said, places, findings)
    fields = {name: said[name] for name in TEXTS if name in said and name != "slug"}
    if said.get("languages"):
        fields["languages"] = said["languages"]
    hosts, others = tuple(said.get("hosts", ())), {name: said.get(name, {}) for name in more}
    return ProfileRecord(said.get("slug", ""), fields, hosts, CellPlace(PROFILE, 1, 1), others)


def _compose(data: bytes, findings: Findings) -> yaml.MappingNode | None:
    text = decode(data, PROFILE, findings)
    if text is None:
        return None
    try:
        top = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = (
            CellPlace(PROFILE, mark.line + 1, mark.column + 1) if mark else CellPlace(PROFILE, 1, 1)
        )
        findings.wrong(place, f"This is not YAML: {getattr(error, 'problem', None) or error}.")
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
    if node.tag == "tag:yaml.org,2002:null":
        return ""
    if len(node.value) > TEXTS[name]:
        findings.wrong(place_of(node), f"{name}: at most {TEXTS[name]} characters.")
    return str(node.value).strip()


def _list(name: str, node: yaml.Node, findings: Findings) -> list[str]:
    if not isinstance(node, yaml.SequenceNode):
        findings.wrong(place_of(node), f"{name}: a list belongs here.")
        return []
    found: list[str] = []
    for item in node.value:
        if not isinstance(item, yaml.ScalarNode) or not item.value:
            findings.wrong(place_of(item), f"{name}: each is a text.")
        elif item.value.lower() in found:
            findings.wrong(place_of(item), f"{name}: “{item.value}” stands there twice.")
        else:
            found.append(str(item.value).lower())
            if problem := _problem(name, found[-1]):
                findings.wrong(place_of(item), f"{name}: “{item.value}” is not a {problem}.")
    return found


def _problem(name: str, text: str) -> str:
    """Say what an item of a list should have been; nothing when it is that."""
    if name == "languages" and text not in CODES:
        return f"language: {', '.join(sorted(CODES))}"
    if name == "hosts" and not HOST.fullmatch(text):
        return "host name such as www.example.org, without https:// and port"
    return ""


def _check(said: Mapping[str, Any], places: Mapping[str, CellPlace], findings: Findings) -> None:
    for name, sentence in (*_lacking(said), *_unusable(said)):
        findings.wrong(places.get(name, CellPlace(PROFILE, 1, 1)), f"{name}: {sentence}.")


def _lacking(said: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    yield from ((name, "the field is missing") for name in NEEDED if not said.get(name))
    if not said.get("hosts"):
        yield "hosts", "at least one host name belongs here"


def _unusable(said: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    if (slug := said.get("slug")) and not KEY.fullmatch(slug):
        yield "slug", f"“{slug}” is not a key"
    language = said.get("default_language")
    if language and language not in (said.get("languages") or CODES):
        yield "default_language", f"“{language}” is not an offered language"
    country = said.get("country") or HOME
    phones = dict.fromkeys(PHONES, partial(check_phone, country=country))
    if country.upper() not in phonenumbers.SUPPORTED_REGIONS:
        phones = {}  # None could be dialled there; that the country is wrong says it.
    readers = {"website": cells.reader(_FIELDS["website"]), "country": check_country}
    for name, read in (readers | phones).items():
        try:
            if text := said.get(name):
                read(text)
        except WrongValue as error:
            yield name, str(error).rstrip(".")
