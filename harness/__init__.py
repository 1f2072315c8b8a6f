"""The engine of bakeoff: tasks, datasets, runs, checks, scores and leaderboards."""

__version__ = "0.1.0"
