"""What pages say that may become part of the taxonomy: rules and guards over plain values.

Nothing here writes. `candidates_in(page, known)` gives what a page gives reason for, and which
reasons were not good enough; `taxonomy.services.population` keeps them for staff to decide.
"""
