"""`make bench`: what the core costs, as ratios where machines differ."""
