"""PostgreSQL and Redis from wheels, for a machine that has neither.

`locations` says where everything is (pure), `postgres` and `redis` start and stop one server each,
`lease` starts them with the first user and stops them with the last, `keeper` does the latter when
the last user could not, and `supervisor` keeps the demonstration's own processes alive.
"""
