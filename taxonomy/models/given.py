"""How a hospital's own files name what we ask for."""

from __future__ import annotations

from django.db import models


class OwnNames(models.Model):
    """How a hospital's own files call the columns of a table, and the values in them.

    "naam" is "name", "status=uit dienst" is "hidden"; what is called "" is left out.
    """

    hospital = models.ForeignKey("zol.Hospital", models.CASCADE, related_name="+")
    row_set = models.CharField(max_length=80)
    names = models.JSONField(default=dict)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["hospital", "row_set"], name="own_names_once")
        ]

    def __str__(self) -> str:
        return f"{self.row_set}: {len(self.names)}"
