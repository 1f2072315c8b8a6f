"""Methods, one folder a task, one file a method."""
