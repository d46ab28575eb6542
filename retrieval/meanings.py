"""What rows of the matrix and numbers of retrieval mean, in words for operators. A new number gets
its line here."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from retrieval.tuning import RetrievalTuning

#: The rows of the matrix that every hospital begins with.
ROW_NAMES: dict[str, Any] = {
    "medical_information": _("Medical information"),
    "doctor_information": _("Doctors"),
    "department_or_service": _("Departments and services"),
    "navigation_or_practical_info": _("Practical information"),
    "appointment_scheduling": _("Appointments"),
    "billing_or_insurance": _("Bills and insurance"),
    "administrative_or_legal": _("Administration and rights"),
}


def row_name(row: str) -> Any:
    """Return what a row of the matrix is called; one that a hospital added, by its words."""
    return ROW_NAMES.get(row) or row.replace("_", " ")


@dataclass(frozen=True, slots=True)
class Setting:
    label: Any
    help: Any
    lowest: float | None = None
    highest: float | None = None

    def allows(self, value: float) -> bool:
        """Whether a number lies within the bounds; what is no number does not."""
        least = float("-inf") if self.lowest is None else self.lowest
        return least <= value <= (float("inf") if self.highest is None else self.highest)


PASSAGES, CANDIDATES = (1, 50), (1, 1000)
FACTOR = (0.1, 5.0)
VOICE = (0.0, 10.0)
#: What a factor of e is raised to.
POWER = (0.0, 30.0)
SHARE = (0.0, 1.0)

MEANINGS: dict[Any, dict[str, Setting]] = {
    _("Ranking"): {
        "limit": Setting(
            _("Passages handed on"),
            _("How many of the best passages an answer may use."),
            *PASSAGES,
        ),
        "full_limit": Setting(
            _("Passages in full mode"),
            _("The same when a visitor asks for everything that is known."),
            *PASSAGES,
        ),
        "escalated_limit": Setting(
            _("Passages on second thought"),
            _("The same when a visitor asks to think harder."),
            *PASSAGES,
        ),
        "escalated_candidates": Setting(
            _("Candidates on second thought"),
            _("Fetched by each lane then; at least as many as are handed on."),
            *CANDIDATES,
        ),
        "rerank_candidates": Setting(
            _("Candidates for the reranker"),
            _("How many of the best passages a reranker is given."),
            *CANDIDATES,
        ),
        "over_fetch": Setting(
            _("Candidates per lane"),
            _("Fetched by each lane, as a multiple of the passages handed on."),
            1,
            20,
        ),
        "rrf_k": Setting(
            _("Fusion constant"),
            _("The higher, the less it matters whether a passage is first or fifth in a lane."),
            1,
            1000,
        ),
        "skim_voice": Setting(
            _("Say of the statements"),
            _("What the best statement of a passage counts against its place in the search."),
            0.0,
            5.0,
        ),
        "likeness_voice": Setting(
            _("Say of the likeness"),
            _("How much a passage counts whose meaning is near the question's; 0: nothing more."),
            *POWER,
        ),
        "category_voice": Setting(
            _("Say of the kind of page"),
            _("How loudly this boost speaks once passages are read; 1: only as it is set below."),
            *VOICE,
        ),
        "entity_kind_voice": Setting(
            _("Say of the kind of entity"), _("The same for this boost."), *VOICE
        ),
        "language_voice": Setting(_("Say of the language"), _("The same for this boost."), *VOICE),
        "answer_form_voice": Setting(
            _("Say of the form of answer"), _("The same for this boost."), *VOICE
        ),
        "content_keywords_voice": Setting(
            _("Say of the words"), _("The same for this boost."), *VOICE
        ),
        "people_voice": Setting(
            _("Say of the doctors"),
            _(
                "How much a passage counts, once it is read, that names all doctors whom the "
                "taxonomy answers with; 0: nothing more."
            ),
            *POWER,
        ),
        "places_voice": Setting(
            _("Say of the departments"), _("The same for departments."), *POWER
        ),
        "details_voice": Setting(
            _("Say of numbers and hours"),
            _("The same for the telephone number, the address for e-mail or the hours asked for."),
            *POWER,
        ),
        "opening_boost": Setting(
            _("Opening"), _("For the passage that a page begins with, once it is read."), *FACTOR
        ),
        "length_voice": Setting(
            _("Say of the length"),
            _("How much more a longer passage counts once it is read; 0: nothing."),
            *SHARE,
        ),
        "base_sharpness": Setting(
            _("Sharpness"),
            _("The higher, the nearer to the best a passage must be for boosts alone to decide."),
            0.1,
            10.0,
        ),
        "base_decay": Setting(
            _("Decay"), _("How much less the next passage counts than the one before it."), *SHARE
        ),
        "dense_weight": Setting(
            _("Weight of meaning"), _("Say of the lane that compares meanings."), *SHARE
        ),
        "keyword_weight": Setting(
            _("Weight of words"), _("Say of the lane that compares words."), *SHARE
        ),
        "fuse_by_rank": Setting(
            _("Fuse by rank"), _("Compare places in both lanes instead of their scores.")
        ),
        "dense_spread": Setting(
            _("Spread of meaning"),
            _("How far its tenth hit must stay behind the first for the lane of meaning to count."),
            *SHARE,
        ),
        "dense_spread_gain": Setting(
            _("Rise of meaning"), _("How fast the lane of meaning counts beyond that."), 0.0, 100.0
        ),
        "keyword_doubt": Setting(
            _("Doubt of words"),
            _("Share of the question that the best hit by words must cover not to be doubted."),
            *SHARE,
        ),
        "other_kinds": Setting(
            _("Other kinds of pages"),
            _("What a passage counts on a page of a kind that does not suit the intent."),
            *SHARE,
        ),
        "exact_share": Setting(
            _("Share of exact words"),
            _("Part of the weight of words that goes to words as written rather than their stems."),
            *SHARE,
        ),
        "bm25_k1": Setting(
            _("Saturation (k1)"), _("How much a word gains by standing there more often."), 0.0, 5.0
        ),
        "bm25_b": Setting(
            _("Length normalisation (b)"), _("How much long passages are held back."), *SHARE
        ),
    },
    _("Switches"): {
        each.name: Setting(_(each.metadata["label"]), _(each.metadata["help"]))
        for each in fields(RetrievalTuning)
        if each.metadata
    },
    _("Grading"): {
        "crag_like": Setting(
            _("Like enough"),
            _("How like the question the best passage must be, as a multiple of what is usual."),
            0.0,
            5.0,
        ),
        "crag_unlike": Setting(
            _("Too unlike"),
            _("Below this, and without shared words, what was found is no evidence."),
            0.0,
            5.0,
        ),
        "crag_cover": Setting(
            _("Enough of the question"),
            _("Share of the question that a passage must speak of to be sure evidence."),
            *SHARE,
        ),
        "crag_uncovered": Setting(
            _("Too little of the question"),
            _("Below this share, and without likeness, what was found is no evidence."),
            *SHARE,
        ),
    },
    _("Understanding"): {
        "model_understanding": Setting(
            _("Model for doubtful questions"),
            _("Where a model is set, it reads questions that the built-in engine is not sure of."),
        ),
        "certain_from": Setting(
            _("Certain from"),
            _("Confidence of the built-in engine from which no model is asked."),
            *SHARE,
        ),
    },
    _("Boosts"): {
        "category_boost": Setting(
            _("Category of page"), _("For pages of a category that suits the question."), *FACTOR
        ),
        "navigational_up": Setting(
            _("Navigation: suitable page"),
            _("When a visitor looks for a page, person or place, and the page suits."),
            *FACTOR,
        ),
        "navigational_down": Setting(
            _("Navigation: other page"), _("The same, when the page does not suit."), *FACTOR
        ),
        "recency_boost": Setting(
            _("Recent page"), _("For recent pages when news is asked for."), *FACTOR
        ),
        "recency_days": Setting(_("Recent means"), _("Days."), 1, 365),
        "section_boost": Setting(
            _("Heading"), _("When the heading has words of the question."), *FACTOR
        ),
        "entity_kind_boost": Setting(
            _("Kind of entity"), _("When the passage names what is asked for."), *FACTOR
        ),
        "campus_boost": Setting(
            _("Campus"), _("When the page is about the campus that is named."), *FACTOR
        ),
        "conversation_boost": Setting(
            _("Conversation"), _("For pages that the last answer cited, in a follow-up."), *FACTOR
        ),
        "language_boost": Setting(
            _("Language"), _("When the page is in the visitor's language."), *FACTOR
        ),
        "answer_form_boost": Setting(
            _("Form of answer"),
            _("When an hour, an amount or a telephone number is asked for and stands there."),
            *FACTOR,
        ),
        "keyword_step_short": Setting(
            _("Short word"), _("Added for each short word of the question."), *SHARE
        ),
        "keyword_step_medium": Setting(
            _("Medium word"), _("Added for each word of medium length."), *SHARE
        ),
        "keyword_step_long": Setting(_("Long word"), _("Added for each long word."), *SHARE),
        "keyword_cap": Setting(_("Most for words"), _("All words together add no more."), *SHARE),
        "tier_1_boost": Setting(_("Tier 1"), _("For the most important kind of page."), *FACTOR),
        "tier_2_boost": Setting(_("Tier 2"), _("For the next kind of page."), *FACTOR),
    },
    _("Facts and reading"): {
        "gate_min_dense_results": Setting(
            _("Few results"),
            _("With fewer results by meaning than this, facts of the taxonomy join."),
            0,
            50,
        ),
        "gate_low_similarity": Setting(
            _("Weak results"),
            _(
                "With a best result less similar than this, facts of the taxonomy join; a multiple"
                " of the similarity that the embedding provider is calibrated to."
            ),
            0.0,
            5.0,
        ),
        "supplement": Setting(
            _("Supplement"),
            _("After an answer that names a department, add doctors who are not named in it."),
        ),
        "sure_from": Setting(
            _("Sure from"),
            _(
                "How likely a quotation must be to answer, to be shown as an answer; what is less"
                " likely is offered as what comes nearest. manage.py calibrate finds it by"
                " questions of your own."
            ),
            # Below, nothing is offered at all (NEAREST in chat/answering/plan.py).
            0.08,
            0.99,
        ),
        "live_grades": Setting(
            _("Live grades a day"),
            _(
                "How many answers to patients are graded a day, drawn at random; 0 for none. Where"
                " a model judges, each costs two short requests."
            ),
            0,
            10_000,
        ),
        "cache": Setting(
            _("Remembered answers"),
            _("Give an answer again to who asks the same, as long as nothing has changed."),
        ),
        "cache_seconds": Setting(
            _("Remembered for"), _("Seconds for which an answer may be given again."), 0, 86_400
        ),
        "cache_overlap": Setting(
            _("Words in common"),
            _("Share of their words that two questions must have in common to get one answer."),
            *SHARE,
        ),
        "context_tokens": Setting(
            _("Reading budget"),
            _("Tokens of passages that an answer may be made from."),
            500,
            100_000,
        ),
        "neighbour_factor": Setting(
            _("Neighbours"),
            _("Weight of the chunk before and after a passage, as a share of its own."),
            *SHARE,
        ),
        "primary_top": Setting(
            _("Voting passages"), _("Passages whose subjects elect the main subject."), *PASSAGES
        ),
    },
}


def meaning_of(name: str) -> Setting | None:
    """Return what a number means; None for one that was not explained yet."""
    return next((each[name] for each in MEANINGS.values() if name in each), None)


def shown(value: Any) -> str:
    """Return a number as staff read it."""
    if isinstance(value, bool):
        return gettext("on") if value else gettext("off")
    return f"{value:g}"
