"""What another package may add to pliant."""
