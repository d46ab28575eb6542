"""Conversations and messages, and the rows from which questions are read and answers written."""

from chat.models.answers import CachedAnswer, CacheState
from chat.models.calls import ModelBudget, ModelCall
from chat.models.conversations import Conversation, Feedback, Message
from chat.models.curated import CuratedAnswer
from chat.models.interventions import Intervention
from chat.models.language import (
    CountryLine,
    Cue,
    EmergencySituation,
    FixedText,
    InjectionPattern,
    IntentExample,
    PromptSection,
    RedFlagPhrase,
    RewriteTemplate,
)
from chat.models.prices import ModelPrice
from chat.models.safety import AdvicePhrase
from chat.models.translations import PassageTranslation

__all__ = [
    "AdvicePhrase",
    "CacheState",
    "CachedAnswer",
    "Conversation",
    "CountryLine",
    "Cue",
    "CuratedAnswer",
    "EmergencySituation",
    "Feedback",
    "FixedText",
    "InjectionPattern",
    "IntentExample",
    "Intervention",
    "Message",
    "ModelBudget",
    "ModelCall",
    "ModelPrice",
    "PassageTranslation",
    "PromptSection",
    "RedFlagPhrase",
    "RewriteTemplate",
]
