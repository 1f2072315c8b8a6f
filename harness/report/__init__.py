"""Leaderboards for people and programs: terminal, HTML, CSV, LaTeX, JSON."""
