"""Models of conversations, and of the rows by which questions are understood and answered."""

from chat.models.calls import ModelBudget, ModelCall, ModelPrice
from chat.models.conversations import CachedAnswer, CacheState, Conversation, Feedback, Message
from chat.models.curated import CuratedAnswer, PassageTranslation
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
from chat.models.safety import AdvicePhrase, Intervention

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
