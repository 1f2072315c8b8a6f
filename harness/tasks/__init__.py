"""One file a task; each defines `task`."""
