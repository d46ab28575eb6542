"""Similarity of a statement and a line: whether the line explains it, word by word and in both
directions."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from functools import lru_cache

from chat.checking.amounts import HALF, excludes, weekdays_in
from chat.checking.base import CitedClaim, Line, LineKind
from chat.checking.figures import Figure
from chat.checking.knowledge import CONTRARY, CueWords, plain
from taxonomy.language.lexicon import FUNCTION, Lexicon
from taxonomy.language.tokens import folded, root
from zol.text import sentences, words

#: Minimum share of a statement's stems in its line; clauses of a line for every one that the
#: statement may omit.
EXPLAINED, MAY_LACK_ONE_OF = 0.7, 6
#: Words around a negation that show what it negates.
AROUND = 2
#: Thresholds for the share of a statement's stems, or concepts in another language: in a better
#: line that was not cited, and in a cited line that may be replaced without explanation.
BETTER, LOST, THIRD = 0.6, 0.3, 1 / 3
NOT, NEVER_STOP = "not", "never_stop"
#: Qualifiers of a conditional clause, and of a statement that keeps the condition.
DEPENDS, CONDITIONS = frozenset({"if", "then"}), frozenset({"if", "then", "only"})
#: Common letters that make two stems equal; minimum letters, and extra letters, of a stem that
#: continues another.
SAME_BEGINNING, LONG, SHORT = 7, 5, 3
_COMMA = re.compile(r"[,;:]\s+")
_PART = re.compile(r"(?<=;)\s+")


@lru_cache(maxsize=32_768)
def _content_stems(
    text: str, language: str, lexicon: Lexicon, qualifiers: CueWords
) -> frozenset[str]:
    """Return the stems of a text's content words, without figures and qualifiers."""
    spoken = lexicon.content_words(folded(qualifiers.without(plain(text), language)), language)
    return frozenset(
        _stem(word, language)
        for word in spoken
        if len(word) > 1 and not any(map(str.isdigit, word))
    )


def _stem(word: str, language: str) -> str:
    found = root(word, language)
    return f"{found[:-2]}t" if language == "nl" and found.endswith("dt") else found


@lru_cache(maxsize=32_768)
def _shorter(stem: str) -> frozenset[str]:
    """Return the stems that a stem continues: stemmers leave some verb endings."""
    return frozenset(
        stem[:length]
        for length in range(max(SHORT, len(stem) - SHORT), len(stem))
        if len(stem) - length <= (SHORT if length >= LONG else 1)
    )


@lru_cache(maxsize=32_768)
def _alike_stems(stems: frozenset[str]) -> frozenset[str]:
    """Return the stems that are of one word with some, with the common beginning of long ones."""
    return stems.union(*map(_shorter, stems), (each[:SAME_BEGINNING] for each in stems))


def held(some: Collection[str], others: frozenset[str]) -> frozenset[str]:
    """Return which stems are among others, or of one word with one of them."""
    alike = _alike_stems(others)
    return frozenset(
        stem
        for stem in some
        if stem in alike or stem[:SAME_BEGINNING] in alike or not others.isdisjoint(_shorter(stem))
    )


def share(some: Collection[str], others: frozenset[str]) -> float:
    return len(held(some, others)) / len(some) if some else 0.0


def clauses(line: Line) -> tuple[tuple[str, str], ...]:
    """Return the clauses of a line, split at full stops, semicolons and cells, with their heads."""
    parts = [part for each in sentences(line.text) for part in _PART.split(each)]
    has_heads = line.kind in (LineKind.ROW, LineKind.FACT)
    cut = (part.partition(": ") if has_heads else ("", "", part) for part in parts)
    return tuple((head, body) if body else ("", head) for head, _, body in cut)


def is_explained(said: CitedClaim) -> bool:
    """Return whether one of its lines says the same, in the same language and on its own: a line
    that answers the question above it depends on that."""
    return any(
        line.language == said.language and not _answers(line, said) and _explains(line, said)
        for line in said.lines
    )


def _answers(line: Line, said: CitedClaim) -> bool:
    heading = line.above.rpartition(" › ")[2]
    asked = _stems(heading, said) if heading.endswith("?") else frozenset()
    if asked and share(asked, _stems(said.text, said)) < HALF:
        return True
    around = said.evidence.source_of(line).lines
    at = around.index(line)
    return at > 0 and around[at - 1].above == line.above and around[at - 1].text.endswith("?")


def _explains(line: Line, said: CitedClaim) -> bool:
    spoken = _stems(said.text, said)
    near = [each for each in clauses(line) if _shares(each[1], spoken, said)]
    bodies, heads = (" ; ".join(each[side] for each in near) for side in (1, 0))
    above = f"{line.above} ; {said.evidence.source_of(line).citation.title}"
    theirs = _stems(bodies, said)
    if not spoken or not theirs:
        return False
    left_out = len(theirs) - len(held(theirs, spoken))
    wide = theirs | _stems(f"{heads} ; {above}", said)
    if left_out > len(theirs) // MAY_LACK_ONE_OF or share(spoken, wide) < EXPLAINED:
        return False
    return (
        _are_qualified_alike(bodies, f"{heads} ; {above}", said)
        and weekdays_in(said.text, said.language, said) == weekdays_in(bodies, said.language, said)
        and _have_the_same_figures(bodies, f"{heads} ; {above}", said)
    )


def _are_qualified_alike(bodies: str, beside: str, said: CitedClaim) -> bool:
    """Return whether clauses and a statement have the same negations, limits and order."""
    targets = said.known.qualifiers.targets
    ours, must = targets(said.text, said.language), targets(bodies, said.language)
    may = {*must, *targets(beside, said.language)} - {NOT}
    if ours.count(NOT) != must.count(NOT) or not set(must) <= set(ours) <= {*may, NOT}:
        return False
    if {"earlier", "later"} <= set(ours) and not _are_in_order(bodies, said):
        return False
    theirs = _denied(bodies, said)
    return all(any(held(each, other) for other in theirs) for each in _denied(said.text, said))


def _denied(text: str, said: CitedClaim) -> list[frozenset[str]]:
    """Return the stems around each negation."""
    text, code, denied = plain(text), said.language, []
    for target, found in said.known.qualifiers.spans(text, code):
        if target == NOT:
            before, behind = folded(text[: found.start()]), folded(text[found.end() :])
            around = (*before[-AROUND:], *behind[:AROUND])
            content = said.known.lexicon.content_words(around, code)
            denied.append(frozenset(_stem(word, code) for word in content))
    return denied


def _are_in_order(bodies: str, said: CitedClaim) -> bool:
    """Return whether their common words have the same order."""
    ours, theirs = (
        [_stem(word, said.language) for word in folded(text)] for text in (said.text, bodies)
    )
    both = _stems(said.text, said) & _stems(bodies, said)
    return [each for each in ours if each in both] == [each for each in theirs if each in both]


def _have_the_same_figures(bodies: str, beside: str, said: CitedClaim) -> bool:
    read = said.known.figures.read
    must, may = read(bodies, said.language), read(f"{bodies} ; {beside}", said.language)
    return _all_borne(must, said.figures) and _all_borne(said.figures, may)


def _stems(text: str, said: CitedClaim) -> frozenset[str]:
    return _content_stems(text, said.language, said.known.lexicon, said.known.qualifiers)


def _shares(body: str, spoken: frozenset[str], said: CitedClaim) -> bool:
    return bool(held(_stems(body, said), spoken)) or _has_figure_of(body, said.language, said)


def _all_borne(figures: Iterable[Figure], others: Iterable[Figure]) -> bool:
    return all(any(figure.is_supported_by(other) for other in others) for figure in figures)


def is_equal(said: CitedClaim, *, is_risky: bool) -> bool:
    """Return whether a statement negates and limits as the clauses it repeats do; a risky one in
    their language must also keep their conditions and figures, which a verdict tells in another.

    Clauses with too few common words are ignored: the verdict decides.
    """
    clauses_of_lines = _repeated(said)
    if clauses_of_lines is None:
        return True
    targets, language = said.known.qualifiers.targets, clauses_of_lines[1]
    text, is_read = _without_answer(said), language == said.language
    if (
        is_risky
        and is_read
        and _has_condition(*clauses_of_lines, said)
        and CONDITIONS.isdisjoint(targets(text, said.language))
    ):
        return False
    if is_read:
        # Parts between other commas may negate something else.
        told = _alike(clauses_of_lines[0], text, said)
        text, clauses_of_lines = _alike(text, clauses_of_lines[0], said), (told, language)
    ours, theirs = set(targets(text, said.language)), set(targets(*clauses_of_lines))
    figures = said.known.figures.read(*clauses_of_lines) if is_risky and is_read else ()
    if not _all_borne(figures, said.figures):
        return False
    return (
        (NOT in ours) == (NOT in theirs)
        and not any(excludes(ours, theirs, *pair) for pair in CONTRARY)
        and ("all" not in ours or "all" in theirs or not is_read)
    )


def _has_condition(text: str, language: str, said: CitedClaim) -> bool:
    """Return whether a text has a condition; before a name it is a place: "bij Urologie"."""
    text = plain(text)
    for target, found in said.known.qualifiers.spans(text, language):
        if target in DEPENDS:
            after = words(text[found.end() :])
            begins = 1 if said.known.quiet.issuperset(after[:1]) else 0
            if not any(each.start <= begins for each in said.known.names.find(after)):
                return True
    return False


def _without_answer(said: CitedClaim) -> str:
    """Return a statement without a "no" that only answers, and without "never stop on your own"."""
    text = said.known.standing.without(plain(said.text), said.language, NEVER_STOP)
    first, comma, rest = text.strip().partition(", ")
    is_answer = comma and said.known.qualifiers.targets(first, said.language) == (NOT,)
    return rest if is_answer and " " not in first else text


def _alike(text: str, other: str, said: CitedClaim) -> str:
    """Return the comma-separated parts of a text of whose words another has over a third."""
    stems_of_other = _stems(other, said)
    return " ; ".join(
        p for p in _COMMA.split(text) if share(_stems(p, said), stems_of_other) > THIRD
    )


def _repeated(said: CitedClaim) -> tuple[str, str] | None:
    """Return the clauses that a statement repeats, with their language; None if none, or several in
    another language."""
    spoken = _stems(said.text, said)
    own = [line for line in said.lines if line.language == said.language]
    near = [body for line in own for _, body in clauses(line) if _shares(body, spoken, said)]
    text = " ; ".join(near)
    if share(spoken, _stems(text, said)) >= BETTER:
        return text, said.language
    told = [(body, line.language) for line in said.lines for _, body in clauses(line)
            if not body.endswith("?")]  # fmt: skip
    beside = [each for each in told if _is_beside(*each, said)] or told
    return beside[0] if len(beside) == 1 and not own else None


def _is_beside(body: str, language: str, said: CitedClaim) -> bool:
    """Return whether a clause in another language shares a figure or concept with a statement."""
    lexicon = said.known.lexicon
    ours, theirs = (
        _concepts(said.text, said.language, lexicon), _concepts(body, language, lexicon)
    )  # fmt: skip
    return not ours.isdisjoint(theirs) or _has_figure_of(body, language, said)


def _has_figure_of(body: str, language: str, said: CitedClaim) -> bool:
    figures = said.known.figures.read(body, language)
    return any(figure.is_supported_by(other) for figure in said.figures for other in figures)


def nearness(line: Line, said: CitedClaim) -> float:
    """Return the share of a statement's stems in a line, or of its concepts across languages."""
    if line.language == said.language:
        return share(_stems(said.text, said), _stems(line.full_text, said))
    lexicon = said.known.lexicon
    return share(
        _concepts(said.text, said.language, lexicon), _concepts(line.full_text, line.language, lexicon)
    )


@lru_cache(maxsize=32_768)
def _concepts(text: str, language: str, lexicon: Lexicon) -> frozenset[str]:
    said = folded(text)
    return frozenset(
        concept.name
        for use in lexicon.read(said, language)
        for concept in use.concepts
        if concept.kind != FUNCTION
    )


def leans_on(line: Line, said: CitedClaim) -> bool:
    """Return whether a statement shares a figure, concept or beginning of a word with a line."""
    told = f"{said.evidence.source_of(line).citation.title} {line.full_text}"
    if _has_figure_of(told, line.language, said):
        return True
    long = {word[:LONG] for word in folded(told) if len(word) >= LONG}
    return nearness(line, said) > 0 or any(w[:LONG] in long for w in said.words if len(w) >= LONG)


def shares_subject(line: Line, said: CitedClaim) -> bool:
    """Return whether a line matches the question, units of measure aside."""
    told = f"{said.evidence.source_of(line).citation.title} {line.full_text}"
    lexicon, units = said.known.lexicon, said.known.figures.units
    for text in said.asked.questions:
        asked = " ".join(word for word in folded(text) if word not in units)
        if line.language == said.language and held(_stems(asked, said), _stems(told, said)):
            return True
        concepts = _concepts(asked, said.language, lexicon)
        if not concepts.isdisjoint(_concepts(told, line.language, lexicon)):
            return True
    return False
