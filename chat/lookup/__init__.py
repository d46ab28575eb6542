"""Asking the published taxonomy: by intent, along its relations, as typed findings."""
