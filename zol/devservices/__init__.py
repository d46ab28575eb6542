"""PostgreSQL and Redis from wheels, for a machine that has neither.

`locations` says where everything is (pure), `postgres` and `redis` start and stop one server each,
`services` both: the first command that needs them starts them, and they stay until `make stop`.
"""
