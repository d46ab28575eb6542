"""What is said: sentences, the answer as it is shown, refusals, remarks and further questions."""
