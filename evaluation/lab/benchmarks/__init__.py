"""How fast the product answers, and how well it finds: `manage.py benchmark*`."""
