"""Embedded PostgreSQL and Redis, from wheels, for development and demonstrations.

`locations` has paths and URLs, `postgres` and `redis` start and stop one server each, and `services`
both: the first command that needs them starts them, and they run until `make stop`.
"""
