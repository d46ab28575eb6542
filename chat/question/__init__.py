"""A question, read once: what it is about, what is wanted of it, and what limits that.

`read` makes a frozen `Question` of what the resolvers, the head of needs and the readers of
conditions say; who needs any of it takes it from there and does not look at the text again.
"""

from __future__ import annotations

from chat.question.conditions import Conditions
from chat.question.forms import Form
from chat.question.needs import Need
from chat.question.question import Part, Question
from chat.question.reading import House, read

__all__ = ["Conditions", "Form", "House", "Need", "Part", "Question", "read"]
