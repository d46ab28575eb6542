"""Failures we expect, and know how to live with. Anything else is a bug."""

from __future__ import annotations


class ExpectedError(Exception):
    """The root: what a stage may fail with and a fallback may answer."""


class EmbeddedError(ExpectedError):
    """An embedded service cannot be had; the message says why and what to do."""


class NoHospital(ExpectedError):
    """Nothing says which hospital is being served."""


class NotPublished(ExpectedError):
    """The hospital has no published version that can be read."""


class BadInput(ExpectedError):
    """Somebody gave us something we cannot use; the words are for them."""


class StepRefused(BadInput):
    """A step of a release is not possible now, or not for this person."""


class BadPack(BadInput):
    """A hospital pack has mistakes: each with file, line and column."""


class WrongIndex(ExpectedError):
    """The index was made by another embedding than the one configured."""


class SearchFailed(ExpectedError):
    """The database could not search."""


class RerankFailed(ExpectedError):
    """The reranker could not be reached, was too slow, or sent a reply without sense."""


class EmbeddingFailed(ExpectedError):
    """The embedding provider could not be reached, or refused us."""


class UnreadableDocument(ExpectedError):
    """A page or PDF cannot be read; the reason is for staff."""


class OnlyImages(UnreadableDocument):
    """A document is a scan without text."""


class TooCostly(UnreadableDocument):
    """A document takes more time or memory than one may."""


class LLMError(ExpectedError):
    """A model gave no answer."""


class LLMTimeout(LLMError):
    """The model was too slow."""


class LLMUnavailable(LLMError):
    """The model could not be reached, or refused us."""

    #: Seconds after which it is worth asking again; None where it is not.
    retry_after: float | None = None


class CutShort(LLMError):
    """The model broke off in the middle of its answer."""


class SchemaRefused(LLMError):
    """The endpoint does not hold the model to a schema: choose another."""


class UnusableReply(LLMError):
    """The model answered, but with nothing that can be used."""


class StructuredCallError(UnusableReply):
    """No answer fitted the shape we asked for, however often we asked."""
