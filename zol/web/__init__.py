"""The web processes of one machine: how many there are, what each does, what they share."""
