"""The command line. Only click and the standard library are imported before a command runs."""
