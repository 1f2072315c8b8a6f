"""Authorship attribution: every method of the papers and every baseline."""
