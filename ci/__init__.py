"""The command line, git, reports and the state cache: everything between a commit range and a reviewer."""
