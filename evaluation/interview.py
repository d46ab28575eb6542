"""Ask the real pipeline a golden question, and collect the outcome for metrics."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import chain, groupby

from chat.answer_cache import store as answer_cache
from chat.behaviours import Certainty
from chat.checking.base import LineKind
from chat.phrases import phrases_of
from chat.services import HISTORY, TurnResult, note_calls, take_turn
from chat.turn import Context, Exchange, Turn
from evaluation.golden import Case, Label
from evaluation.metrics import DEMANDED, contains_text, page, plain, quotes
from evaluation.scores import Outcome
from retrieval.models import Chunk, Document
from retrieval.statements import Form, lines
from taxonomy.publishing.live import live_snapshot
from zol.errors import ExpectedError, NotPublished, WrongIndex
from zol.tenancy import required_hospital_id

_QUOTED = re.compile(r"^[ \t]*>(.*)$", re.MULTILINE)

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Interview:
    """Asks golden questions from a page in one language, not in the language of each question."""

    language: str
    flags: Mapping[str, bool] = field(default_factory=dict)

    def answered(self, case: Case) -> tuple[TurnResult | None, str]:
        """Ask a case; return its last answer, or the reason why there is none."""
        try:
            return self.ask(case.question, self.before(case), case.moment), ""
        except (NotPublished, WrongIndex):
            raise  # No question can be asked: end the run.
        except ExpectedError as error:
            return None, f"{type(error).__name__}: {error}"
        except Exception as error:
            # A bug fails this question, not the run.
            logger.exception("Question %s failed.", case.key)
            return None, f"{type(error).__name__}: {error}"

    def before(self, case: Case) -> tuple[Exchange, ...]:
        """Return the exchanges before the last question of a case."""
        history: tuple[Exchange, ...] = ()
        for step in case.earlier:
            if step.answer:
                exchange = Exchange(step.question, step.answer, step.citations)
            else:
                context = self.ask(step.question, history, case.moment).context
                urls = tuple(citation.url for citation in context.citations)
                exchange = Exchange(context.question, context.answer, urls)
            history = (*history, exchange)[-HISTORY:]
        return history

    def ask(
        self, question: str, history: tuple[Exchange, ...], at: datetime | None = None
    ) -> TurnResult:
        turn = Turn(question, language=self.language, history=history, at=at)
        answered = take_turn(turn, flags=self.flags)
        note_calls(required_hospital_id(), answered.calls)
        if self.flags.get("cache"):
            # Cached under the flags of the run, so that no visitor gets this answer.
            answer_cache.store(
                answered.context,
                seconds=answered.steering.tuning.cache_seconds,
                vector=answer_cache.vector_of(answered.context),
            )
        return answered


def evidence_in(context: Context) -> tuple[str, ...]:
    """Return the lines of evidence, which both engines share, without the current state."""
    sources = context.dossier.evidence.sources if context.dossier.evidence else ()
    lines = (line for source in sources for line in source.lines)
    return tuple(line.full_text for line in lines if line.kind is not LineKind.MOMENT)


def outcome_of(case: Case, answered: TurnResult | None, failure: str) -> Outcome:
    """Return the outcome that metrics score."""
    if answered is None:
        labelled = labelled_chunks(case.passages)
        return Outcome(failure=failure, language="", certainty="", labelled=labelled)
    context, snapshot = answered.context, live_snapshot()
    phrases, languages = phrases_of(snapshot), context.understanding.answered_in
    texts = {
        kind: any(contains_text(context.answer, phrases.say(kind, code)) for code in languages)
        for kind in chain(*DEMANDED.values())
        if phrases.has(kind)
    }
    things = {thing.name for thing in snapshot.vocabulary.things}
    asked = [match.thing for match in context.understanding.matches]
    return Outcome(
        answer=context.answer,
        behaviour=context.behaviour,
        warning=str(context.alarm.danger),
        warned=context.answer if context.alarm.stops else context.warning.strip(),
        language=context.understanding.language,
        names=tuple(name for name in things if name in context.answer),
        intent=str(context.understanding.intent),
        cited=tuple(citation.url for citation in context.citations),
        ranking=tuple(passage.chunk_id for passage in context.passages),
        labelled=labelled_chunks(case.passages),
        certainty=answered.certainty or Certainty.SURE,
        texts=texts,
        quoted=tuple(map(plain, _QUOTED.findall(context.answer))),
        lists=tuple(_lists_of(context)),
        # As pages may write them.
        asked_about=tuple(
            plain(name)
            for thing in asked
            for name in (thing.name, *(alias.text for alias in thing.aliases))
        ),
        home=snapshot.profile.country,
    )


def _lists_of(context: Context) -> Iterator[tuple[str, ...]]:
    """Yield the rows of each table and list of the cited pages, plain."""
    cited = {citation.document_id for citation in context.citations}
    chunks = Chunk.objects.filter(document_id__in=cited, is_enabled=True)
    for content in chunks.values_list("content", flat=True):
        statements = groupby(lines(content), key=lambda line: (line.heading, line.form))
        for (_heading, form), group in statements:
            found = tuple(plain(line.text) for line in group)
            if form is not Form.SENTENCE and len(found) > 1:
                yield found


def labelled_chunks(labels: Sequence[Label]) -> dict[int, frozenset[int]]:
    """Return the searchable chunks that contain labelled passages, each with their numbers."""
    if not labels:
        return {}
    chunks = Chunk.objects.filter(is_enabled=True, document__status=Document.Status.READY)
    named = {form for label in labels for form in _forms(label.url)}
    found = chunks.filter(document__url__in=named).values_list("pk", "document__url", "content")
    held = {
        pk: frozenset(
            number
            for number, label in enumerate(labels)
            if page(label.url) == page(url) and quotes(content, label.quote)
        )
        for pk, url, content in found
    }
    return {pk: numbers for pk, numbers in held.items() if numbers}


def _forms(url: str) -> Iterator[str]:
    """Yield the forms in which the address of a page may be stored."""
    plain = url.strip().partition("#")[0]
    yield from (plain, plain.rstrip("/"), f"{plain.rstrip('/')}/")
