"""The engine that asks a language model."""

from chat.engines.embedded import EMBEDDED_ENGINE
from chat.engines.model.answer import generate
from chat.engines.model.classify import classify
from chat.tools import Engine

MODEL_ENGINE = Engine("model", generate, classify, spare=EMBEDDED_ENGINE)
