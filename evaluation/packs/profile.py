"""hospital.yaml: the hospital itself, read, compared and written by the fields of its model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import yaml
from django.db.models import CharField

from chat.models import FixedText
from chat.phrases import EXAMPLES
from evaluation.packs import tables
from evaluation.packs.findings import NOWHERE, Findings, Place
from evaluation.packs.form import PROFILE
from evaluation.packs.tables import CODES, HOST, KEY, decode
from zol.models import PHONES, Hospital, HospitalHost
from zol.values import WrongValue, check_country

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
#: Letters of an example: it has to fit on a line or two of a phone.
LONGEST_EXAMPLE = 100
NEEDED = ("slug", "name", "short_name")
_OTHERS = (name for name in _FIELDS if name not in NEEDED)
#: The fields as they are written; the examples are of each language what the start page offers.
ORDER = (*NEEDED, "hosts", *_OTHERS, EXAMPLES)


@dataclass(frozen=True, slots=True)
class ProfileRecord:
    """The hospital itself: the fields of its model, and its host names."""

    slug: str
    fields: Mapping[str, Any]
    hosts: tuple[str, ...]
    place: Place = field(default=NOWHERE, compare=False)
    #: The questions of the start page, by language.
    examples: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def whole(self) -> ProfileRecord:
        """The same with what a file leaves out, which has the default of the model."""
        told = Hospital(slug=self.slug, **self.fields)
        fields = {name: getattr(told, name) for name in _FIELDS if name != "slug"}
        return replace(self, fields=fields)


def profile_of(hospital: Hospital) -> ProfileRecord:
    fields = {name: getattr(hospital, name) for name in _FIELDS if name != "slug"}
    hosts = HospitalHost.objects.filter(hospital=hospital).values_list("host", flat=True)
    texts = FixedText.objects.filter(kind=EXAMPLES).order_by("pk")
    examples = {row.language: tuple(row.text.splitlines()) for row in texts}
    return ProfileRecord(hospital.slug, fields, tuple(hosts), examples=examples)


def profile_text(record: ProfileRecord) -> bytes:
    examples = {language: list(each) for language, each in record.examples.items()}
    own = {"slug": record.slug, "hosts": list(record.hosts), EXAMPLES: examples}
    values = {**record.fields, **own}
    told = {name: values[name] for name in ORDER if values[name] not in ("", [], {})}
    return yaml.safe_dump(told, allow_unicode=True, sort_keys=False).encode()


def read_profile(data: bytes, findings: Findings) -> ProfileRecord | None:
    """Return what the file says, or nothing when it says nothing usable."""
    top = _compose(data, findings)
    if top is None:
        return None
    readers = dict.fromkeys(TEXTS, _text) | dict.fromkeys(LISTS, _list) | {EXAMPLES: _examples}
    said: dict[str, Any] = {}
    places: dict[str, Place] = {}
    for key, node in top.value:
        name = str(key.value)
        places[name] = _place(node)
        if said.get(name) not in (None, {}):
            findings.wrong(_place(key), f"{name} stands there twice.")
        elif name in readers:
            said[name] = readers[name](name, node, findings)
        else:
            findings.warn(_place(key), f"The field {name} is unknown and not read.")
    _check(said, places, findings)
    fields = {name: said[name] for name in TEXTS if name in said and name != "slug"}
    if said.get("languages"):
        fields["languages"] = said["languages"]
    hosts, examples = tuple(said.get("hosts", ())), said.get(EXAMPLES, {})
    return ProfileRecord(said.get("slug", ""), fields, hosts, Place(PROFILE, 1, 1), examples)


def _compose(data: bytes, findings: Findings) -> yaml.MappingNode | None:
    text = decode(data, PROFILE, findings)
    if text is None:
        return None
    try:
        top = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = Place(PROFILE, mark.line + 1, mark.column + 1) if mark else Place(PROFILE, 1, 1)
        findings.wrong(place, f"This is not YAML: {getattr(error, 'problem', None) or error}.")
        return None
    if not isinstance(top, yaml.MappingNode):
        findings.wrong(Place(PROFILE, 1, 1), "The file holds no fields.")
        return None
    return top


def _place(node: yaml.Node) -> Place:
    return Place(PROFILE, node.start_mark.line + 1, node.start_mark.column + 1)


def _text(name: str, node: yaml.Node, findings: Findings) -> str:
    if not isinstance(node, yaml.ScalarNode):
        findings.wrong(_place(node), f"{name}: a text belongs here.")
        return ""
    if node.tag == "tag:yaml.org,2002:null":
        return ""
    if len(node.value) > TEXTS[name]:
        findings.wrong(_place(node), f"{name}: at most {TEXTS[name]} characters.")
    return str(node.value).strip()


def _list(name: str, node: yaml.Node, findings: Findings) -> list[str]:
    if not isinstance(node, yaml.SequenceNode):
        findings.wrong(_place(node), f"{name}: a list belongs here.")
        return []
    found: list[str] = []
    for item in node.value:
        if not isinstance(item, yaml.ScalarNode) or not item.value:
            findings.wrong(_place(item), f"{name}: each is a text.")
        elif item.value.lower() in found:
            findings.wrong(_place(item), f"{name}: “{item.value}” stands there twice.")
        else:
            found.append(str(item.value).lower())
            if problem := _problem(name, found[-1]):
                findings.wrong(_place(item), f"{name}: “{item.value}” is not a {problem}.")
    return found


def _examples(_name: str, node: yaml.Node, findings: Findings) -> dict[str, tuple[str, ...]]:
    if not isinstance(node, yaml.MappingNode):
        findings.wrong(_place(node), f"{EXAMPLES}: questions by language belong here.")
        return {}
    found: dict[str, tuple[str, ...]] = {}
    for key, questions in node.value:
        language = str(key.value)
        if language not in CODES:
            findings.wrong(_place(key), f"{EXAMPLES}: “{language}” is not a language.")
        elif not isinstance(questions, yaml.SequenceNode):
            findings.wrong(_place(questions), f"{EXAMPLES}: a list of questions belongs here.")
        else:
            found[language] = tuple(str(each.value).strip() for each in questions.value)
            for each in questions.value:
                if not isinstance(each, yaml.ScalarNode) or not each.value.strip():
                    findings.wrong(_place(each), f"{EXAMPLES}: each is a question.")
                elif len(each.value) > LONGEST_EXAMPLE:
                    findings.wrong(_place(each), f"{EXAMPLES}: at most {LONGEST_EXAMPLE} letters.")
    return found


def _problem(name: str, text: str) -> str:
    """Say what an item of a list should have been; nothing when it is that."""
    if name == "languages" and text not in CODES:
        return f"language: {', '.join(sorted(CODES))}"
    if name == "hosts" and not HOST.fullmatch(text):
        return "host name such as www.example.org, without https:// and port"
    return ""


def _check(said: Mapping[str, Any], places: Mapping[str, Place], findings: Findings) -> None:
    for name, sentence in (*_lacking(said), *_unusable(said)):
        findings.wrong(places.get(name, Place(PROFILE, 1, 1)), f"{name}: {sentence}.")


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
    phone = tables.read_phone(said.get("country") or HOME)
    readers = {"website": tables.read_url, "country": tables.checked(check_country)}
    for name, read in (readers | dict.fromkeys(PHONES, phone)).items():
        try:
            if text := said.get(name):
                read(text)
        except WrongValue as error:
            yield name, str(error).rstrip(".")
