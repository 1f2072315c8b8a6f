"""Author verification: every method of the papers and every baseline."""
