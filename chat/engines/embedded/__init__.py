"""The engine that needs no model: code classifies, and published lines answer."""

from chat.engines.embedded.answer import generate
from chat.tools import Engine
from chat.turn import EMBEDDED

EMBEDDED_ENGINE = Engine(EMBEDDED, generate)
