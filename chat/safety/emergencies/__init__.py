"""Emergencies, crises and poisonings in a visitor's message: phrases and a network."""
