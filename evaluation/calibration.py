"""How sure the search must be at one hospital, for what it shows as an answer to be right."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from chat import live
from chat.answering.composition import planned_for
from chat.answering.plan import Lead
from chat.behaviours import Behaviour
from evaluation.cases import UNANSWERED, Case, case_of, read_records
from evaluation.configurations import USUAL
from evaluation.intervals import wilson
from evaluation.interview import Interview
from evaluation.packs.findings import Findings
from retrieval.selectors import live_pages

#: Every surety that a hospital may ask for, in hundredths.
SURETIES = tuple(n / 100 for n in range(8, 100))
#: As the chat does where no model is.
BY_CODE = {**USUAL, "model_understanding": False}
#: The category of questions that give the pages that answer and nothing more.
_ANSWERED = "answered"


@dataclass(frozen=True, slots=True)
class Probe:
    """What the chat would quote first: how sure it is, and whether its page answers."""

    language: str
    surety: float
    is_right: bool
    is_answerable: bool


def read_problems(path: Path) -> Iterator[tuple[Case, frozenset[int] | None]]:
    """Yield the questions of a file with the documents that answer them at the served hospital:
    none where nothing does, None where that is not known or nothing should be answered.

    :raises PackRefused: with every mistake and its line.
    """
    known, findings = places(), Findings()
    for record in read_records(path, golden_lines):
        case = case_of(record.fields["key"], record.fields)
        there = {known[_name(each)] for each in case.sources if _name(each) in known}
        if case.category == _ANSWERED and not there:
            place = record.place._replace(file=str(path))
            findings.wrong(place, f"none of {', '.join(case.sources)} is a searchable page.")
        right = frozenset() if case.category == UNANSWERED else frozenset(there) or None
        yield case, right if case.expect is Behaviour.ANSWER and not case.earlier else None
    findings.refuse_if_any()


def golden_lines(data: bytes) -> bytes:
    """Return lines of `{"question", "language", "pages"}` as golden questions, others as they are.
    Without pages it is a question that nothing answers."""
    return b"\n".join(_golden(line, number) for number, line in enumerate(data.split(b"\n"), 1))


def _golden(line: bytes, number: int) -> bytes:
    try:
        row = json.loads(line)
    except ValueError:
        return line
    if not isinstance(row, dict) or "pages" not in row:
        return line
    pages = row.pop("pages")
    category = UNANSWERED if pages == [] else _ANSWERED
    form = {"id": f"line {number}", "category": category, "expect": "answer", "sources": pages}
    return json.dumps(form | row).encode()


def places() -> Mapping[str, int]:
    """Return the searchable pages by address, by its path alone, and by their path in a pack."""
    return {
        _name(name): page.document_id
        for url, page in live_pages().by_url.items()
        for name in (page.path, urlsplit(url).path, url)
        if _name(name)
    }


def _name(page: Any) -> str:
    return str(page).strip().partition("#")[0].strip("/")


def probe(case: Case, documents: frozenset[int], language: str) -> Probe | None:
    """Return what the chat would quote on a page in a language, by code alone; nothing is stored.
    None where no quotation decides: facts or staff answer, it is refused, or taken apart."""
    ctx = Interview(language, BY_CODE).prepared(case)
    kit = live.tools(flags=BY_CODE, at=case.moment)
    if ctx.answer or ctx.parts:
        return None
    # Whatever may be shown as an answer anywhere is shown as one.
    tuning = replace(kit.steering.tuning, sure_from=SURETIES[0])
    planned = planned_for(ctx, replace(kit, steering=replace(kit.steering, tuning=tuning)))
    if planned.lead is Lead.FACTS:
        return None
    # What is no answer however sure it is, such as one without the figure, is hedged anyhow.
    quotes = planned.quotes if planned.lead is Lead.PAGES else ()
    is_right = bool(quotes) and quotes[0].passage.source.document_id in documents
    surety = max((quote.surety for quote in quotes), default=0.0)
    return Probe(case.language, surety, is_right, bool(documents))


def rates(found: Sequence[Probe], least: float) -> dict[str, Any]:
    """Return what would come of asking for a surety: the share of all that is answered, of these
    by a wrong page (as always where nothing answers); of what nothing answers the share that is
    answered, of what something answers the share that is hedged."""
    sure = [each for each in found if each.surety >= least]
    wrongly = sum(not each.is_answerable for each in sure)
    answerable = sum(each.is_answerable for each in found)
    shares = {
        "answered": wilson(len(sure), len(found)),
        "wrong": wilson(sum(not each.is_right for each in sure), len(sure)),
        "unanswerable": wilson(wrongly, len(found) - answerable),
        "hedged": wilson(answerable - len(sure) + wrongly, answerable),
    }
    return {"surety": least} | {name: each and asdict(each) for name, each in shares.items()}


def lowest(found: Sequence[Probe], promise: float) -> dict[str, Any] | None:
    """Return the lowest surety at which at most a share of what is answered is wrong."""
    known = (rates(found, least) for least in SURETIES)
    return next((r for r in known if r["wrong"] and r["wrong"]["mean"] <= promise), None)
