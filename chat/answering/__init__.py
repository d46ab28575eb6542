"""The engine without a model: facts by code, sentences by quotation, in fixed words.

It invents nothing. What it says is an approved text filled in from the published taxonomy, or a
sentence of the hospital's own page, in its language, with its number.
"""

from chat.answering.composition import Composition, compose, fact_said

__all__ = ["Composition", "compose", "fact_said"]
