"""Asking a model for verdicts: the port, who answers it, and what answers become."""
