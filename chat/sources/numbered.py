"""Numbered evidence of a turn: published data and pages as lines that an engine cites.

Source 1 is published data and the current state; pages follow, best first. Text that a model
generated from a page (summary, questions, context) is never a line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from functools import lru_cache, partial
from itertools import groupby, pairwise
from typing import TypeAlias

from chat.checking.base import Citation, Line, LineKind, NumberedEvidence, Source, iso
from chat.phrases import calendar_of
from chat.safety.attacks import InjectionPatterns, as_line, injection_patterns_of
from chat.sources.pages import ReadPage, pages_of
from chat.sources.published import PUBLISHED, cut, is_exact, meant_days, published
from chat.sources.records import Translations, translations_of
from chat.tools import Tools
from chat.turn import Context, Turn
from retrieval.categories import classifier_of
from retrieval.context import without_overlap
from retrieval.fields import PATH, Place, under
from retrieval.passage import GENERAL, Passage
from retrieval.statements import OPEN, Form, lines
from retrieval.statements import Line as Statement
from retrieval.tuning import NEUTRAL
from taxonomy.dates.words import is_holiday
from taxonomy.facts.free_hours import FreeHours, read_hours
from taxonomy.facts.print import format_on
from taxonomy.lookup.question import CARE
from taxonomy.snapshot import Snapshot

KINDS = {
    Form.SENTENCE: LineKind.SENTENCE, Form.ITEM: LineKind.ITEM, Form.ROW: LineKind.ROW,
}  # fmt: skip
#: Maximum letters of a line, and of the beginning repeated in a split row.
LONGEST, LONGEST_BEGINNING = 300, 100
QUARTER = 15
#: Size of the cache of passage lines.
REMEMBERED = 2_048
#: Category of medical pages: conditions, examinations, treatments.
CLINICAL = "clinical_info"
#: Kinds of lines that may give the hours of several days; a row of a table gives those of one.
HOLDS_HOURS = frozenset({LineKind.SENTENCE, LineKind.ITEM})


def evidence_of(ctx: Context, tools: Tools, *, for_asker: bool = False) -> NumberedEvidence:
    """Return the evidence of an answer within the token budget.

    Beyond the budget the weakest pages are left out; if the best page alone exceeds it, its last
    sections are. A table is never split. `for_asker` gives published data and approved translations
    in the asker's language, for an engine that does not translate.
    """
    patterns = tools.snapshot.derived(injection_patterns_of)
    profile, budget = tools.snapshot.profile, tools.steering.tuning.context_tokens
    language = ctx.understanding.language if for_asker else profile.default_language
    own = Citation(1, profile.name, profile.website, language=language)
    first = Source(own, numbered(1, _safe(published(ctx, tools, for_asker=for_asker), patterns)))
    total = tools.corpus.count_tokens(written(first))
    pages, kept, parts = pages_of(ctx, tools), list[Source](), list[str]()
    known = tools.snapshot.derived(translations_of) if for_asker else Translations()
    translated, country = partial(known.lines, language=language), profile.country
    # Pages rarely give the hours of public holidays.
    days = tuple(dict.fromkeys(day for day in meant_days(ctx) if not is_holiday(day, country)))
    dated = partial(_with_hours, days=days, language=language, snapshot=tools.snapshot)
    for page in pages:
        source = _of_page(len(kept) + 2, page, patterns, translated, dated)
        size = tools.corpus.count_tokens(written(source))
        if total + size > budget and kept:
            break
        if total + size > budget:
            source = _cut_to(source, budget - total, tools.corpus.count_tokens)
            size, parts = (
                tools.corpus.count_tokens(written(source)),
                [f"{source.citation.title} (a part)"],
            )
        kept.append(source)
        total += size
    left_out = [page.source.title for page in pages[len(kept) :]]
    return NumberedEvidence((first, *kept), (*left_out[::-1], *parts), total)


def numbered(number: int, found: Iterable[Line]) -> tuple[Line, ...]:
    """Return the non-empty lines of a source with ids."""
    filled = (line for line in found if line.text)
    return tuple(replace(line, id=f"{number}.{at}") for at, line in enumerate(filled, start=1))


#: Returns the translated statements of a passage, each with its translation.
Translated: TypeAlias = Callable[[Passage], Mapping[Statement, Statement]]
#: Adds lines with the hours of the days asked about.
Dated: TypeAlias = Callable[[Iterable[Line]], Iterator[Line]]


def _of_page(
    number: int, read: ReadPage, patterns: InjectionPatterns, translated: Translated, dated: Dated,
) -> Source:  # fmt: skip
    best, page = read.best, read.source
    citation = Citation(
        n=number,
        title=patterns.material(page.title) or page.url,
        url=page.url,
        page=best.page,
        document_id=page.document_id,
        chunk_id=best.chunk_id,
        language=page.language,
        updated_on=iso(page.updated_on),
        anchor=next((place.anchor for place in best.placed if place.anchor), ""),
    )
    return Source(
        citation,
        numbered(number, dated(_lines(read, patterns, translated))),
        patterns.material(page.category),
    )


def _lines(read: ReadPage, patterns: InjectionPatterns, translated: Translated) -> Iterator[Line]:
    """Yield the lines of a page's passages in reading order, translated where possible."""
    last, language = None, read.source.language
    for passage in read.passages:
        follows = last is not None and passage.ordinal == last.ordinal + 1
        text = without_overlap(last.text, passage.text) if follows and last else passage.text
        places = passage.placed[len(passage.placed) - len(text.splitlines()) :]
        last = passage
        like = Line("", "", language=language, chunk_id=passage.chunk_id)
        known = tuple((own.text, other) for own, other in translated(passage).items())
        yield from _of_passage(text, places, like, patterns, known)


@lru_cache(maxsize=REMEMBERED)
def _of_passage(
    text: str,
    places: tuple[Place, ...],
    like: Line,
    patterns: InjectionPatterns,
    translations: tuple[tuple[str, Statement], ...],
) -> Sequence[Line]:
    """Return the lines of a passage, translated where a translation is given."""
    statements = (each for each in lines(text, places) if each.text != each.place.caption)
    known, found = dict(translations), list[Line]()
    for each in statements:
        other = known.get(each.text)
        kind = replace(like, language="", original=each.text) if other else like
        found += _cut(other or each, kind, patterns)
    texts = (each for line in found for each in (line.above, line.text))
    is_calm = not patterns.check("\n".join(text for text, _ in groupby(texts)))
    return found if is_calm else _safe(found, patterns)


def _safe(found: Iterable[Line], patterns: InjectionPatterns) -> list[Line]:
    """Return lines without those that give orders to a model, alone or together with the next."""
    cleaned = (
        replace(line, text=patterns.material(line.text), above=patterns.material(line.above))
        for line in found
    )
    kept = [line for line in cleaned if line.text]
    pairs = [
        p for p in pairwise(kept) if patterns.check_page("\n".join(each.full_text for each in p))
    ]
    out = {id(line) for pair in pairs for line in pair}
    return [line for line in kept if id(line) not in out]


def _cut(statement: Statement, like: Line, patterns: InjectionPatterns) -> Iterator[Line]:
    """Yield the lines of a page's statement, each of limited length."""
    headings = (*statement.place.path, statement.place.caption, *statement.leads)
    above = PATH.join(filter(None, map(patterns.material, headings)))
    like = replace(like, above=above, kind=KINDS[statement.form], mark=statement.mark)
    if statement.cells:
        cells = tuple((as_line(head), as_line(cell)) for head, cell in statement.cells)
        yield from _rows(cells, like)
        return
    for part in cut(as_line(statement.text), LONGEST):
        yield replace(like, text=part)
        like = replace(like, mark="")


def _rows(cells: Sequence[tuple[str, str]], like: Line) -> Iterator[Line]:
    """Yield a row as "head: cell; head: cell"; a long one in parts that repeat its first cell."""
    begins, room = cells[:1], LONGEST - LONGEST_BEGINNING
    if len(under(*begins[0])) > LONGEST_BEGINNING:
        begins = ()
    pieces = [
        (head, piece)
        for head, cell in cells[len(begins) :]
        for piece in cut(cell, max(room - len(head), room // 2))
    ]
    row = [*begins]
    for piece in pieces:
        if len(row) > len(begins) and len(_row_of([*row, piece])) > LONGEST:
            yield replace(like, text=_row_of(row), cells=tuple(row))
            row = [*begins]
        row.append(piece)
    yield replace(like, text=_row_of(row), cells=tuple(row))


def _row_of(cells: Iterable[tuple[str, str]]) -> str:
    return "; ".join(under(*each) for each in cells)


def _cut_to(source: Source, budget: int, count_tokens: Callable[[str], int]) -> Source:
    """Return a page without as many of its last sections as exceed the budget."""
    parts = [tuple(part) for _, part in groupby(source.lines, key=lambda line: line.above)]
    while len(parts) > 1:
        parts.pop()
        source = replace(source, lines=tuple(line for part in parts for line in part))
        if count_tokens(written(source)) <= budget:
            break
    return source


def _with_hours(
    found: Iterable[Line], days: Sequence[date], language: str, snapshot: Snapshot
) -> Iterator[Line]:
    """Yield lines, each that gives weekly hours followed by its hours on the days asked about."""
    for line in found:
        yield line
        if not days or line.kind not in HOLDS_HOURS:
            continue
        hours = snapshot.derived(_reader_of)(line.text, line.language)
        for day in days if hours else ():
            if hours and day.isoweekday() in hours.named:
                text = format_on(hours.hours, day, language, snapshot.derived(calendar_of))
                like = replace(line, kind=LineKind.MOMENT, mark="", original="")
                yield replace(like, text=text, language=language)


def _reader_of(snapshot: Snapshot) -> partial[FreeHours | None]:
    calendar = snapshot.derived(calendar_of)
    return partial(lru_cache(maxsize=4_096)(lambda text, code: read_hours(text, code, calendar)))


def rendered(evidence: NumberedEvidence, tools: Tools) -> str:
    """Return the prompt text: the date, the time to a quarter of an hour, then the evidence."""
    now = to_the_quarter(tools.now)
    date_and_time = f"Today is {now:%A} {now.day} {now:%B %Y}, {now:%H:%M}."
    return "\n".join((date_and_time, *map(written, evidence.sources)))


def to_the_quarter(moment: datetime) -> datetime:
    """Return the nearest quarter of an hour."""
    rest = timedelta(
        minutes=moment.minute % QUARTER, seconds=moment.second, microseconds=moment.microsecond
    )
    up = timedelta(minutes=QUARTER) if rest >= timedelta(minutes=QUARTER / 2) else timedelta()
    return moment - rest + up


def written(source: Source) -> str:
    """Return a source as prompt text: its title, then its lines, each heading once."""
    citation = source.citation
    about = [source.kind, f"updated {citation.updated_on}" if citation.updated_on else ""]
    behind = f" ({', '.join(filter(None, about))})" if any(about) else ""
    rows = [f"[{source.n}] {citation.title if source.n > 1 else PUBLISHED}{behind}"]
    last, texts = "", list[str]()
    for line in source.lines:
        above = _new_headings(line.above, texts)
        if above != last:
            rows += [f"# {above}"] if above else []
            last = above
        mark = f"{line.mark} " if line.mark[:1].isdigit() else ""
        rows.append(f"[{line.id}] {mark}{line.text}")
        texts.append(line.text)
    return "\n".join(rows)


def _new_headings(above: str, texts: Sequence[str]) -> str:
    """Return the headings of a line without the opening of its list if that is a line itself."""
    parts = above.split(PATH)
    while (
        parts
        and parts[-1].endswith(OPEN)
        and any(text and (text.endswith(parts[-1]) or parts[-1].endswith(text)) for text in texts)
    ):
        parts.pop()
    return PATH.join(parts)


def guard_of(ctx: Context, tools: Tools) -> str:
    """Return the guard: a model's instruction to stay with the subject that suits the question.

    Empty if the question has parts, prefers no subject, or names another one.
    """
    row, steering = ctx.found.steering_row, tools.steering
    near = {of: factor for (each, of), factor in steering.cells.items() if each == row}
    best = max(near, key=near.__getitem__, default=GENERAL)
    if ctx.parts or near.get(best, NEUTRAL) <= NEUTRAL:
        return ""
    exact = filter(is_exact, ctx.understanding.matches)
    names_care = any(match.thing.kind in CARE for match in exact)
    named = tools.snapshot.derived(classifier_of).classify(ctx.question).scores
    if names_care != (best == CLINICAL) or any(near.get(of, NEUTRAL) < NEUTRAL for of in named):
        return ""
    return steering.guards.get(best, "")


#: Exchanges given in full, earlier ones given as questions only, and the token limit of all.
WHOLE, QUESTIONS, MOST_TOKENS = 3, 2, 1_500
#: Minimum tokens of a truncated answer.
FEWEST_TOKENS = 50
#: Citation marks, and Markdown's quotation sign.
_MARK = re.compile(r"\s*\[\d+\]")
_QUOTED = re.compile(r"^\s*>\s?", re.MULTILINE)


def conversation_of(turn: Turn, tools: Tools) -> str:
    """Return the last exchanges, oldest first, one utterance per line; empty at the start.

    Citation marks are removed. Quotations stay, because a follow-up may refer to them. If too long,
    the oldest answers are dropped first, then the last one is truncated.
    """
    earlier = turn.history[-WHOLE - QUESTIONS :]
    exchanges = [(f"Visitor: {as_line(each.question)}", _answer(each.answer)) for each in earlier]
    kept, room = list[str](), MOST_TOKENS
    for question, _ in exchanges:
        room -= tools.corpus.count_tokens(question)
    for age, (question, answer) in enumerate(reversed(exchanges)):
        shortened = _shortened(answer, room, tools) if age < WHOLE else ""
        room -= tools.corpus.count_tokens(shortened)
        kept[:0] = [question, shortened] if shortened else [question]
    return "\n".join(kept)


def _answer(text: str) -> str:
    answer = as_line(_MARK.sub("", _QUOTED.sub("", text)).replace("**", ""))
    return f"Assistant: {answer}" if answer else ""


def _shortened(answer: str, room: int, tools: Tools) -> str:
    words = answer.split(" ") if room >= FEWEST_TOKENS else []
    while words and tools.corpus.count_tokens(" ".join(words)) > room:
        words = words[: len(words) * 3 // 4]
    return " ".join(words)
