"""How fast the product answers, and how well it finds: `python -m lab benchmark*`."""
