"""hospital.yaml: the hospital itself."""

from __future__ import annotations

from typing import Any

import yaml

from evaluation.packs import tables
from evaluation.packs.findings import Findings, Place
from evaluation.packs.form import PROFILE
from evaluation.packs.records import ProfileRecord
from evaluation.packs.tables import CODES, HOST, KEY, decode
from zol.models import PHONES, Hospital
from zol.values import WrongValue, check_country

#: The texts and how long they may be.
TEXTS = {
    "slug": 50, "name": 200, "short_name": 60, "default_language": 2, "phone": 40,
    "phone_hours": 100,
    "emergency_phone": 40, "helpdesk_phone": 40, "out_of_hours_phone": 40, "country": 2,
    "website": 200, "address": 200,
}  # fmt: skip
#: The country of a hospital that names none.
HOME = str(Hospital._meta.get_field("country").get_default())
LISTS = ("hosts", "languages")
#: Of each language the questions that the start page offers.
EXAMPLES = "examples"
#: Letters of an example: it has to fit on a line or two of a phone.
LONGEST_EXAMPLE = 100
NEEDED = ("slug", "name", "short_name")
ORDER = (
    "slug", "name", "short_name", "hosts", "default_language", "languages", "phone",
    "phone_hours",
    "emergency_phone", "helpdesk_phone", "out_of_hours_phone", "country", "website", "address",
    EXAMPLES,
)  # fmt: skip


def read_profile(data: bytes, findings: Findings) -> ProfileRecord | None:
    """Return what the file says, or nothing when it says nothing usable."""
    top = _compose(data, findings)
    if top is None:
        return None
    texts: dict[str, str] = {}
    lists: dict[str, tuple[str, ...]] = {}
    examples: dict[str, tuple[str, ...]] = {}
    places: dict[str, Place] = {}
    for key, node in top.value:
        name = str(key.value)
        places[name] = _place(node)
        if name in texts or name in lists or (name == EXAMPLES and examples):
            findings.wrong(_place(key), f"{name} stands there twice.")
        elif name in TEXTS:
            texts[name] = _text(name, node, findings)
        elif name in LISTS:
            lists[name] = _list(name, node, findings)
        elif name == EXAMPLES:
            examples = _examples(node, findings)
        else:
            findings.warn(_place(key), f"The field {name} is unknown and not read.")
    _check(texts, lists, places, findings)
    values: dict[str, Any] = {name: text for name, text in texts.items() if name != "slug"}
    if lists.get("languages"):
        values["languages"] = list(lists["languages"])
    return ProfileRecord(
        texts.get("slug", ""), values, lists.get("hosts", ()), Place(PROFILE, 1, 1), examples
    )


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


def _list(name: str, node: yaml.Node, findings: Findings) -> tuple[str, ...]:
    if not isinstance(node, yaml.SequenceNode):
        findings.wrong(_place(node), f"{name}: a list belongs here.")
        return ()
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
    return tuple(found)


def _examples(node: yaml.Node, findings: Findings) -> dict[str, tuple[str, ...]]:
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


def _check(
    texts: dict[str, str],
    lists: dict[str, tuple[str, ...]],
    places: dict[str, Place],
    findings: Findings,
) -> None:
    for name in NEEDED:
        if not texts.get(name):
            place = places.get(name, Place(PROFILE, 1, 1))
            findings.wrong(place, f"{name}: the field is missing.")
    if not lists.get("hosts"):
        place = places.get("hosts", Place(PROFILE, 1, 1))
        findings.wrong(place, "hosts: at least one host name belongs here.")
    slug = texts.get("slug", "")
    if slug and not KEY.fullmatch(slug):
        findings.wrong(places["slug"], f"slug: “{slug}” is not a key.")
    _check_values(texts, places, findings)
    language = texts.get("default_language", "")
    if language and language not in (lists.get("languages") or CODES):
        findings.wrong(
            places["default_language"],
            f"default_language: “{language}” is not an offered language.",
        )


def _check_values(texts: dict[str, str], places: dict[str, Place], findings: Findings) -> None:
    phone = tables.read_phone(texts.get("country") or HOME)
    readers = {"website": tables.read_url, "country": tables.checked(check_country)}
    for name, read in (readers | dict.fromkeys(PHONES, phone)).items():
        try:
            if text := texts.get(name):
                read(text)
        except WrongValue as error:
            findings.wrong(places[name], f"{name}: {error}".rstrip(".") + ".")
