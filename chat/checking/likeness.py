"""Compare a statement with its lines, word by word and in both directions.

A line explains a statement if it says the same: then no verdict of a model is needed.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache

from chat.checking.amounts import HALF, excludes, weekdays_in
from chat.checking.base import CitedClaim, Line, LineKind
from chat.checking.knowledge import CONTRARY, CueWords, plain
from taxonomy.language.lexicon import FUNCTION, Lexicon
from taxonomy.language.tokens import folded, root
from zol.text import sentences, words

#: Minimum share of a statement's stems in its line. Of so many stems in the line's clauses the
#: statement may omit one.
EXPLAINED, MAY_LACK_ONE_OF = 0.7, 6
#: Words around a negation that show what it negates.
AROUND = 2
#: Thresholds for the share of a statement's stems, or of its concepts in another language: minimum
#: in a line that replaces the cited ones, maximum in a cited line that may be replaced by a line
#: that does not explain the statement, minimum for comparing two parts of sentences.
BETTER, LOST, THIRD = 0.6, 0.3, 1 / 3
NOT, NEVER_STOP = "not", "never_stop"
#: Qualifiers that make a clause conditional, and those by which a statement keeps a condition.
DEPENDS, CONDITIONS = frozenset({"if", "then"}), frozenset({"if", "then", "only"})
#: Letters that two stems must share to count as equal; minimum letters of a stem, and maximum
#: letters more, for counting a longer stem as a form of it.
SAME_BEGINNING, LONG, SHORT = 7, 5, 3
_COMMA = re.compile(r"[,;:]\s+")
_PART = re.compile(r"(?<=;)\s+")


@lru_cache(maxsize=32_768)
def _content_stems(
    text: str, language: str, lexicon: Lexicon, qualifiers: CueWords
) -> frozenset[str]:
    """Return the stems of a text's content words, without figures and qualifiers."""
    found = lexicon.content_words(folded(qualifiers.without(plain(text), language)), language)
    return frozenset(
        _stem(word, language) for word in found if len(word) > 1 and not any(map(str.isdigit, word))
    )


def _stem(word: str, language: str) -> str:
    found = root(word, language)
    return f"{found[:-2]}t" if language == "nl" and found.endswith("dt") else found


@lru_cache(maxsize=32_768)
def _shorter(stem: str) -> frozenset[str]:
    """Return the beginnings of a stem that may be the same word: stemmers leave verb endings."""
    return frozenset(
        stem[:length]
        for length in range(max(SHORT, len(stem) - SHORT), len(stem))
        if len(stem) - length <= (SHORT if length >= LONG else 1)
    )


@lru_cache(maxsize=32_768)
def _equivalent(stems: frozenset[str]) -> frozenset[str]:
    """Return stems with the shorter forms of each, and the beginnings of long ones."""
    return stems.union(*map(_shorter, stems), (each[:SAME_BEGINNING] for each in stems))


def common(some: Collection[str], others: frozenset[str]) -> frozenset[str]:
    """Return the stems that are among others, in the same or another form."""
    known = _equivalent(others)
    return frozenset(
        stem
        for stem in some
        if stem in known or stem[:SAME_BEGINNING] in known or not others.isdisjoint(_shorter(stem))
    )


def share(some: Collection[str], others: frozenset[str]) -> float:
    """Return the share of some stems that are among others."""
    return len(common(some, others)) / len(some) if some else 0.0


def clauses(line: Line) -> tuple[tuple[str, str], ...]:
    """Return the clauses of a line, each with its column heading or label (empty if none).

    A line is split at full stops, semicolons and cells.
    """
    parts = [part for each in sentences(line.text) for part in _PART.split(each)]
    has_heads = line.kind in (LineKind.ROW, LineKind.FACT)
    cut = (part.partition(": ") if has_heads else ("", "", part) for part in parts)
    return tuple((head, body) if body else ("", head) for head, _, body in cut)


def is_explained(cited: CitedClaim) -> bool:
    """Return whether one line says the same in the same language.

    Lines that answer a question above them do not count: their meaning depends on the question.
    """
    return any(
        line.language == cited.language and not _answers(line, cited) and _explains(line, cited)
        for line in cited.lines
    )


def _answers(line: Line, cited: CitedClaim) -> bool:
    heading = line.above.rpartition(" › ")[2]
    asked = _stems(heading, cited) if heading.endswith("?") else frozenset()
    if asked and share(asked, _stems(cited.text, cited)) < HALF:
        return True
    around = cited.evidence.source_of(line).lines
    at = around.index(line)
    return at > 0 and around[at - 1].above == line.above and around[at - 1].text.endswith("?")


def _explains(line: Line, cited: CitedClaim) -> bool:
    ours = _stems(cited.text, cited)
    near = [each for each in clauses(line) if _shares(each[1], ours, cited)]
    bodies, heads = (" ; ".join(each[side] for each in near) for side in (1, 0))
    context = f"{heads} ; {line.above} ; {cited.evidence.source_of(line).citation.title}"
    theirs = _stems(bodies, cited)
    if not ours or not theirs:
        return False
    omitted = len(theirs) - len(common(theirs, ours))
    wide = theirs | _stems(context, cited)
    if omitted > len(theirs) // MAY_LACK_ONE_OF or share(ours, wide) < EXPLAINED:
        return False
    days = (weekdays_in(text, cited.language, cited) for text in (cited.text, bodies))
    return (
        _have_same_qualifiers(bodies, context, cited)
        and len(set(days)) == 1
        and _have_same_figures(bodies, context, cited)
    )


def _have_same_qualifiers(bodies: str, beside: str, cited: CitedClaim) -> bool:
    """Return whether clauses and a statement have the same negations, limits and order."""
    targets = cited.known.qualifiers.targets
    ours, must = targets(cited.text, cited.language), targets(bodies, cited.language)
    may = {*must, *targets(beside, cited.language)} - {NOT}
    if ours.count(NOT) != must.count(NOT) or not set(must) <= set(ours) <= {*may, NOT}:
        return False
    if {"earlier", "later"} <= set(ours) and not _are_in_order(bodies, cited):
        return False
    theirs = _negated(bodies, cited)
    return all(any(common(each, other) for other in theirs) for each in _negated(cited.text, cited))


def _negated(text: str, cited: CitedClaim) -> list[frozenset[str]]:
    """Return the stems around each negation."""
    text, code, negated = plain(text), cited.language, []
    for target, found in cited.known.qualifiers.spans(text, code):
        if target == NOT:
            before, behind = folded(text[: found.start()]), folded(text[found.end() :])
            around = (*before[-AROUND:], *behind[:AROUND])
            content = cited.known.lexicon.content_words(around, code)
            negated.append(frozenset(_stem(word, code) for word in content))
    return negated


def _are_in_order(bodies: str, cited: CitedClaim) -> bool:
    """Return whether the words that clauses share with a statement have the same order."""
    ours, theirs = (
        [_stem(word, cited.language) for word in folded(text)] for text in (cited.text, bodies)
    )
    both = _stems(cited.text, cited) & _stems(bodies, cited)
    return [each for each in ours if each in both] == [each for each in theirs if each in both]


def _have_same_figures(bodies: str, beside: str, cited: CitedClaim) -> bool:
    read = cited.known.figures.read
    must, may = read(bodies, cited.language), read(f"{bodies} ; {beside}", cited.language)
    return all(each.is_supported_by(*cited.figures) for each in must) and all(
        each.is_supported_by(*may) for each in cited.figures
    )


def _stems(text: str, cited: CitedClaim) -> frozenset[str]:
    return _content_stems(text, cited.language, cited.known.lexicon, cited.known.qualifiers)


def _shares(body: str, stems: frozenset[str], cited: CitedClaim) -> bool:
    return bool(common(_stems(body, cited), stems)) or _has_figure_of(body, cited.language, cited)


def is_equal(cited: CitedClaim, *, is_risky: bool) -> bool:
    """Return whether a statement has the negations and limits of the clauses that it repeats.

    A risky statement must also keep their conditions and figures if it is in their language; in
    another language the verdict decides on these. Clauses with too few common words are ignored.
    """
    clauses_of_lines = _repeated(cited)
    if clauses_of_lines is None:
        return True
    targets, language = cited.known.qualifiers.targets, clauses_of_lines[1]
    text, is_read = _without_answer(cited), language == cited.language
    if (
        is_risky
        and is_read
        and _has_condition(*clauses_of_lines, cited)
        and CONDITIONS.isdisjoint(targets(text, cited.language))
    ):
        return False
    if is_read:
        # Parts between other commas may negate something else.
        theirs_alone = _common_parts(clauses_of_lines[0], text, cited)
        text = _common_parts(text, clauses_of_lines[0], cited)
        clauses_of_lines = (theirs_alone, language)
    ours, theirs = set(targets(text, cited.language)), set(targets(*clauses_of_lines))
    figures = cited.known.figures.read(*clauses_of_lines) if is_risky and is_read else ()
    if not all(each.is_supported_by(*cited.figures) for each in figures):
        return False
    return (
        (NOT in ours) == (NOT in theirs)
        and not any(excludes(ours, theirs, *pair) for pair in CONTRARY)
        and ("all" not in ours or "all" in theirs or not is_read)
    )


def _has_condition(text: str, language: str, cited: CitedClaim) -> bool:
    """Return whether a text has a condition; a word such as "bij" before a name means a place."""
    text = plain(text)
    for target, found in cited.known.qualifiers.spans(text, language):
        if target in DEPENDS:
            after = words(text[found.end() :])
            begins = 1 if cited.known.function_words.issuperset(after[:1]) else 0
            if not any(each.start <= begins for each in cited.known.names.find(after)):
                return True
    return False


def _without_answer(cited: CitedClaim) -> str:
    """Return a statement without an answering "no" and without "never stop on your own"."""
    text = cited.known.standing.without(plain(cited.text), cited.language, NEVER_STOP)
    first, comma, rest = text.strip().partition(", ")
    is_answer = comma and cited.known.qualifiers.targets(first, cited.language) == (NOT,)
    return rest if is_answer and " " not in first else text


def _common_parts(text: str, other: str, cited: CitedClaim) -> str:
    """Return the comma-separated parts of a text that share a third of their stems with another."""
    stems_of_other = _stems(other, cited)
    return " ; ".join(
        p for p in _COMMA.split(text) if share(_stems(p, cited), stems_of_other) > THIRD
    )


def _repeated(cited: CitedClaim) -> tuple[str, str] | None:
    """Return the clauses that a statement repeats, with their language; None if that is unclear."""
    ours = _stems(cited.text, cited)
    own = [line for line in cited.lines if line.language == cited.language]
    near = [body for line in own for _, body in clauses(line) if _shares(body, ours, cited)]
    text = " ; ".join(near)
    if share(ours, _stems(text, cited)) >= BETTER:
        return text, cited.language
    every = [(body, line.language) for line in cited.lines for _, body in clauses(line)
             if not body.endswith("?")]  # fmt: skip
    related = [each for each in every if _is_related(*each, cited)] or every
    return related[0] if len(related) == 1 and not own else None


def _is_related(body: str, language: str, cited: CitedClaim) -> bool:
    """Return whether a clause in another language shares a figure or concept with a statement."""
    lexicon = cited.known.lexicon
    ours, theirs = (
        _concepts(cited.text, cited.language, lexicon), _concepts(body, language, lexicon)
    )  # fmt: skip
    return not ours.isdisjoint(theirs) or _has_figure_of(body, language, cited)


def _has_figure_of(body: str, language: str, cited: CitedClaim) -> bool:
    figures = cited.known.figures.read(body, language)
    return any(each.is_supported_by(*figures) for each in cited.figures)


def nearness(line: Line, cited: CitedClaim) -> float:
    """Return the share of a statement's stems in a line, or of its concepts across languages."""
    if line.language == cited.language:
        return share(_stems(cited.text, cited), _stems(line.full_text, cited))
    lexicon = cited.known.lexicon
    return share(
        _concepts(cited.text, cited.language, lexicon),
        _concepts(line.full_text, line.language, lexicon),
    )


@lru_cache(maxsize=32_768)
def _concepts(text: str, language: str, lexicon: Lexicon) -> frozenset[str]:
    concepts = lexicon.concepts_in(folded(text), language)
    return frozenset(each.name for each in concepts if each.kind != FUNCTION)


def overlaps(line: Line, cited: CitedClaim) -> bool:
    """Return whether a statement shares a figure, concept or beginning of a word with a line."""
    text = f"{cited.evidence.source_of(line).citation.title} {line.full_text}"
    if _has_figure_of(text, line.language, cited):
        return True
    long = {word[:LONG] for word in folded(text) if len(word) >= LONG}
    return nearness(line, cited) > 0 or any(w[:LONG] in long for w in cited.words if len(w) >= LONG)


def shares_subject(line: Line, cited: CitedClaim) -> bool:
    """Return whether a line shares a word or concept with the question, apart from units."""
    text = f"{cited.evidence.source_of(line).citation.title} {line.full_text}"
    lexicon, units = cited.known.lexicon, cited.known.figures.units
    for question in cited.asked.questions:
        asked = " ".join(word for word in folded(question) if word not in units)
        if line.language == cited.language and common(_stems(asked, cited), _stems(text, cited)):
            return True
        concepts = _concepts(asked, cited.language, lexicon)
        if not concepts.isdisjoint(_concepts(text, line.language, lexicon)):
            return True
    return False
