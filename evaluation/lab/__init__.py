"""What measures the product and trains what it ships with: only its own commands import it."""
