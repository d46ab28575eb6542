"""Models of golden questions, runs and results, and of staff's decisions on failed answers."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from chat.models.conversations import BEHAVIOURS
from retrieval.models.documents import hospital
from retrieval.models.steering import intent_choices
from zol.languages import Language
from zol.records.audit import account

#: Categories of the default golden questions; a hospital may add others.
CATEGORY_NAMES: dict[str, Any] = {
    "practical_info": _("Practical information"),
    "navigation": _("Finding a page"),
    "service_info": _("Department or service"),
    "doctor_department": _("Doctors of a department"),
    "doctor_list": _("List of doctors"),
    "condition_department": _("Department for a condition"),
    "treatment_info": _("Treatment or examination"),
    "campus_info": _("Campus"),
    "referral": _("Referral"),
    "ambiguous_symptom": _("Complaint described"),
    "entity_disambiguation": _("Names that resemble each other"),
    "taxonomy_alias": _("Other words"),
    "snomed_terminology": _("Medical terms"),
    "compound_word": _("Compound words"),
    "misspelling": _("Misspellings"),
    "multilingual": _("Other languages"),
    "followup_chain": _("Follow-up questions"),
    "multi_hop_graph": _("Several steps"),
    "contamination": _("Similar but wrong subject"),
    "unit_mismatch": _("Another unit than asked"),
    "numeric_safety": _("Numbers"),
    "outdated_brochure": _("Outdated brochure"),
    "no_answer": _("No answer"),
    "out_of_scope": _("Not about the hospital"),
    "safety_refusal": _("Medical advice asked"),
    "emergency": _("Emergency"),
    "pii": _("Personal data"),
    "adversarial_gcg": _("Attacks with a suffix"),
    "indirect_injection": _("Pages that give orders"),
}


class GoldenQuestion(models.Model):
    """A question with the expected answer, written before the code that satisfies it."""

    hospital = hospital()
    key = models.CharField(_("id"), max_length=80)
    category = models.CharField(_("category"), max_length=40)
    language = models.CharField(_("language"), max_length=8, choices=Language.choices)
    #: The questions of the conversation; the last one is judged.
    turns = models.JSONField(_("questions"))
    expect = models.CharField(_("expected behaviour"), max_length=30, choices=BEHAVIOURS)
    intent = models.CharField(_("intent"), max_length=40, choices=intent_choices, blank=True)
    #: Each may be `a|b`: either counts.
    entities = models.JSONField(_("names that the answer must contain"), default=list, blank=True)
    sources = models.JSONField(_("pages of which one must be cited"), default=list, blank=True)
    content_category = models.CharField(_("content category"), max_length=40, blank=True)
    must_not = models.JSONField(
        _("words that the answer must not contain"), default=list, blank=True
    )
    passages = models.JSONField(_("passages that must be found"), default=list, blank=True)
    difficulty = models.CharField(_("difficulty"), max_length=20, blank=True)
    owner = models.CharField(_("owner"), max_length=80, blank=True)
    risk = models.CharField(_("risk"), max_length=20, blank=True)
    #: ISO date and time of the question; empty means when it is asked.
    at = models.CharField(_("asked at"), max_length=40, blank=True)
    #: The line of the pack, which an export writes back.
    line = models.TextField(editable=False, blank=True)
    position = models.PositiveIntegerField(default=0, editable=False)

    class Meta:
        verbose_name = _("golden question")
        verbose_name_plural = _("golden questions")
        ordering = ["position", "key"]
        constraints = [
            models.UniqueConstraint(fields=["hospital", "key"], name="golden_question_once")
        ]

    def __str__(self) -> str:
        return str(self.turns[-1]) if self.turns else self.key


class Pass(models.Model):
    """A run over questions, asked one after the other."""

    class State(models.TextChoices):
        RUNNING = "running", _("running")
        FINISHED = "finished", _("finished")
        FAILED = "failed", _("failed")
        STOPPED = "stopped", _("stopped")

    hospital = hospital()
    state = models.CharField(
        _("state"), max_length=10, choices=State.choices, default=State.RUNNING
    )
    total = models.PositiveIntegerField(_("questions"), default=0)
    created_at = models.DateTimeField(_("started"), auto_now_add=True)
    finished_at = models.DateTimeField(_("finished"), null=True)

    class Meta:
        abstract = True
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"#{self.pk}"


class Run(Pass):
    """One run of golden questions through the pipeline."""

    note = models.CharField(_("note"), max_length=200, blank=True)
    flags = models.JSONField(_("switches"), default=dict)
    versions = models.JSONField(_("versions"), default=dict)
    selection = models.JSONField(_("selection"), default=dict)
    summary = models.JSONField(_("summary"), default=dict)
    failure = models.TextField(_("why it ended early"), blank=True)
    #: Last heartbeat of the run's worker; empty when a command asks.
    alive_at = models.DateTimeField(null=True, editable=False)

    class Meta(Pass.Meta):
        abstract = False
        verbose_name = _("evaluation run")
        verbose_name_plural = _("evaluation runs")
        constraints = [
            models.UniqueConstraint(
                fields=["hospital"],
                condition=models.Q(state="running", alive_at__isnull=False),
                name="run_by_workers_one_at_a_time",
            )
        ]


class Result(models.Model):
    """The result of one question in one run. Written once."""

    hospital = hospital()
    run = models.ForeignKey(Run, models.CASCADE, related_name="results")
    key = models.CharField(_("question"), max_length=80)
    category = models.CharField(_("category"), max_length=40)
    language = models.CharField(_("language"), max_length=8, choices=Language.choices)
    passed = models.BooleanField(_("passed"))
    #: Scores by metric with their reasons, the answer, citations and timings.
    data = models.JSONField()

    class Meta:
        verbose_name = _("result")
        verbose_name_plural = _("results")
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["run", "key"], name="result_once_in_a_run")]

    def __str__(self) -> str:
        return self.key


class Preview(Pass):
    """A release replayed beside the live version before it is published."""

    release = models.ForeignKey("taxonomy.Release", models.CASCADE, related_name="previews")
    #: Number of the replayed version; a resubmitted release has a new one.
    seen = models.PositiveIntegerField(_("version"))
    #: Patients' messages to replay, newest first, after the golden questions.
    messages = models.JSONField(default=list)
    failure = models.TextField(blank=True)

    class Meta(Pass.Meta):
        abstract = False
        verbose_name = _("impact preview")
        verbose_name_plural = _("impact previews")
        constraints = [
            models.UniqueConstraint(
                fields=["release", "seen"],
                condition=models.Q(state="running"),
                name="preview_one_at_a_time",
            )
        ]


class PreviewItem(models.Model):
    """One question, answered from the live version and from the release. Written once."""

    hospital = hospital()
    preview = models.ForeignKey(Preview, models.CASCADE, related_name="items")
    key = models.CharField(_("question"), max_length=100)
    #: The replayed question of a patient: deleted with it.
    message = models.ForeignKey("chat.Message", models.CASCADE, null=True, related_name="+")
    is_golden = models.BooleanField(_("golden question"))
    #: Whether it passes live and would fail.
    breaks = models.BooleanField(_("no longer passes"), default=False)
    changes = models.JSONField(_("what changes"), default=list)
    created_at = models.DateTimeField(auto_now_add=True)
    #: The question and both answers.
    data = models.JSONField()

    class Meta:
        verbose_name = _("replayed question")
        verbose_name_plural = _("replayed questions")
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["preview", "key"], name="preview_item_once")]

    def __str__(self) -> str:
        return self.key


class WorkItem(models.Model):
    """Staff's decision on a group of failed answers, identified by its oldest question.

    Deleted with that question.
    """

    class State(models.TextChoices):
        OPEN = "open", _("to do")
        DONE = "done", _("done")
        NO_ACTION = "none", _("nothing to do")

    hospital = hospital()
    message = models.OneToOneField(
        "chat.Message", models.CASCADE, primary_key=True, editable=False,
        verbose_name=_("question"), related_name="+",
    )  # fmt: skip
    owner = account(_("owner"), blank=True)
    due = models.DateField(_("due date"), null=True, blank=True)
    state = models.CharField(_("state"), max_length=4, choices=State.choices, default=State.OPEN)
    golden = models.ForeignKey(
        GoldenQuestion, models.SET_NULL, null=True, blank=True,
        verbose_name=_("golden question"), related_name="+",
        help_text=_("This question fails if the answer goes wrong again."),
    )  # fmt: skip
    note = models.TextField(
        _("note"), blank=True,
        help_text=_("Write what was done, why nothing needs doing, or why no golden "
                    "question tests it."),
    )  # fmt: skip
    #: Later failures reopen the group.
    closed_at = models.DateTimeField(_("closed"), null=True, editable=False)

    class Meta:
        verbose_name = _("group of failed answers")
        verbose_name_plural = _("work queue")
        ordering = ["-message__created_at"]

    def __str__(self) -> str:
        """Return no words of the question: the audit log outlives it."""
        return f"#{str(self.pk)[:8]}"

    def clean(self) -> None:
        super().clean()
        if self.state == self.State.OPEN or self.note.strip():
            return
        if self.state == self.State.NO_ACTION:
            raise ValidationError({"note": _("Enter the reason why there is nothing to do.")})
        if self.golden is None:
            raise ValidationError({"note": _(
                "Choose the golden question that tests it, or write why there is none."
            )})  # fmt: skip

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.closed_at = None if self.state == self.State.OPEN else timezone.now()
        super().save(*args, **kwargs)


class LiveGrade(models.Model):
    """Grades of a live answer, 0 to 1 or none; they contain none of its words and are deleted with
    it."""

    hospital = hospital()
    message = models.OneToOneField(
        "chat.Message", models.CASCADE, primary_key=True, editable=False,
        verbose_name=_("question"), related_name="live_grade",
    )  # fmt: skip
    overall = models.FloatField(_("grade"), null=True)
    supported = models.FloatField(_("supported by sources"), null=True)
    # Kept for one release, because 1.1.0 writes and reads them.
    complete = models.FloatField(_("covers the whole question"), null=True)
    on_subject = models.FloatField(_("on the subject"), null=True)
    unjudged = models.JSONField(_("not judged"), default=dict)
    in_language = models.FloatField(_("in the visitor's language"), null=True)
    faithfulness = models.FloatField(_("faithfulness"), null=True)
    relevancy = models.FloatField(_("relevancy"), null=True)
    graded_by = models.CharField(_("graded by"), max_length=200)
    graded_at = models.DateTimeField(_("graded"), auto_now_add=True)

    class Meta:
        verbose_name = _("graded answer")
        verbose_name_plural = _("graded answers")
        ordering = [models.F("overall").asc(nulls_last=True), "-graded_at"]
        indexes = [models.Index(fields=["hospital", "graded_at"], name="live_grades")]

    def __str__(self) -> str:
        return f"#{str(self.pk)[:8]}"
