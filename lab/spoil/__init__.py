"""Spoil recorded replies, know what was spoiled, and count what a visitor is shown of it."""
