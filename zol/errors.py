"""Expected failures, which callers handle. Any other exception is a bug."""

from __future__ import annotations


class ExpectedError(Exception):
    """Base class of expected failures; a stage that raises one uses its fallback."""


class EmbeddedError(ExpectedError):
    """An embedded service is not available; the message says why and what to do."""


class NoHospital(ExpectedError):
    """No hospital is being served."""


class NotPublished(ExpectedError):
    """The hospital has no published version, or it cannot be read."""


class BadInput(ExpectedError):
    """Invalid input; the message is for the user."""


class StepRefused(BadInput):
    """A step of a release is not possible now, or not for this user."""


class BadPack(BadInput):
    """A hospital pack has mistakes; the message lists each with file, line and column."""


class WrongIndex(ExpectedError):
    """The index was built with another embedding than the configured one."""


class SearchFailed(ExpectedError):
    """The search in the database failed."""


class RerankFailed(ExpectedError):
    """The reranker is unreachable, too slow, or sent an invalid reply."""


class EmbeddingFailed(ExpectedError):
    """The embedding provider is unreachable, or refused the request."""


class UnreadableDocument(ExpectedError):
    """A document cannot be read; the message is for staff."""


class OnlyImages(UnreadableDocument):
    """A document is a scan without text."""


class TooCostly(UnreadableDocument):
    """A document exceeds the limits of time or memory."""


class LLMError(ExpectedError):
    """A call to a model failed."""


class LLMTimeout(LLMError):
    """The model did not answer in time."""


class LLMUnavailable(LLMError):
    """The model is unreachable, or refused the request."""

    #: Seconds until a retry; None where a retry is useless.
    retry_after: float | None = None


class CutShort(LLMError):
    """The model broke off in the middle of its answer."""


class SchemaRefused(LLMError):
    """The endpoint does not support the schema of a structured reply."""


class UnusableReply(LLMError):
    """The reply of the model is unusable."""


class StructuredCallError(UnusableReply):
    """No reply of the model fits the schema, after all attempts."""
