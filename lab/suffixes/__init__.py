"""What the detector of machine-made suffixes learns from: invented attacks, and people's habits."""
