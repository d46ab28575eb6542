"""Embedded PostgreSQL and Redis, from wheels, for development and demonstrations.

`locations` has paths and URLs, `postgres` and `redis` start and stop one server each, `services`
starts and stops both: the first command that needs them starts them, until `make stop`.
"""
