"""Failures we expect, and know how to live with. Anything else is a bug.

ExpectedError
  NoHospital            nothing says which hospital is being served
  NotPublished          the hospital has no published version that can be read
  BadInput              somebody gave us something we cannot use; the words are for them
    StepRefused         a step of a release that is not possible now, or not for this person
    BadPack             a hospital pack with mistakes: each with file, line and column
  WrongIndex            the index was made by another embedding than the one configured
  SearchFailed          the database could not search
  RerankFailed          the reranker could not be reached, was too slow, or said what makes no sense
  EmbeddingFailed       the embedding provider could not be reached, or refused us
  UnreadableDocument    a page or PDF that cannot be read; the reason is for staff
    OnlyImages          … because it is a scan, which says nothing to us
    TooCostly           … because it takes more time or memory than one may
  LLMError
    LLMTimeout          the model was too slow
    LLMUnavailable      the model could not be reached, or refused us
    CutShort            the model broke off in the middle of its answer
    SchemaRefused       the endpoint does not hold the model to a schema: choose another
    UnusableReply       the model answered, but with nothing that can be used
      StructuredCallError  … not in the shape we asked for, however often we asked
"""

from __future__ import annotations


class ExpectedError(Exception):
    """The root: what a stage may fail with and a fallback may answer."""


class EmbeddedError(ExpectedError):
    """An embedded service cannot be had; the message says why and what to do."""


class NoHospital(ExpectedError):
    pass


class NotPublished(ExpectedError):
    pass


class BadInput(ExpectedError):
    pass


class WrongIndex(ExpectedError):
    pass


class SearchFailed(ExpectedError):
    pass


class RerankFailed(ExpectedError):
    pass


class EmbeddingFailed(ExpectedError):
    pass


class UnreadableDocument(ExpectedError):
    pass


class OnlyImages(UnreadableDocument):
    pass


class TooCostly(UnreadableDocument):
    pass


class LLMError(ExpectedError):
    pass


class LLMTimeout(LLMError):
    pass


class LLMUnavailable(LLMError):
    #: Seconds after which it is worth asking again; None where it is not.
    retry_after: float | None = None


class CutShort(LLMError):
    pass


class SchemaRefused(LLMError):
    pass


class UnusableReply(LLMError):
    pass


class StructuredCallError(UnusableReply):
    pass


class BadPack(BadInput):
    pass


class StepRefused(BadInput):
    pass
