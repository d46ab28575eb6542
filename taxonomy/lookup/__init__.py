"""Look-ups in the published taxonomy: five handlers that walk its relations to typed findings."""
