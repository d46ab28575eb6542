"""Which default rows a hospital was given, and how its own files name what we ask for."""

from __future__ import annotations

from django.db import models


class GivenDefaults(models.Model):
    """The default rows of one set, as they were when this hospital last got them (`RowSet`).

    A live row that still says what was given was not edited here: a newer default may replace it.
    """

    hospital = models.ForeignKey("zol.Hospital", models.CASCADE, related_name="+")
    row_set = models.CharField(max_length=80)
    digest = models.CharField(max_length=64)
    at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["hospital", "row_set"], name="given_defaults_once")
        ]

    def __str__(self) -> str:
        return f"{self.row_set}: {self.digest}"


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
