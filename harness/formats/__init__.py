"""Exchange formats: how answer and truth files of the shared tasks are told apart, read and written.

A reader yields rows (plain dicts); what a row means is the task's affair.
"""
