"""Answers written by a model, and shown only as far as the checks let them through."""

from chat.answering.model.generation import answer_by_model, model_answers

__all__ = ["answer_by_model", "model_answers"]
