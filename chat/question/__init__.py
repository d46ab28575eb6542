"""Read a question once: its subject, what is wanted, and its conditions.

`read` combines resolvers, the needs head and the readers of conditions into a frozen `Question`;
others use that instead of the text.
"""
