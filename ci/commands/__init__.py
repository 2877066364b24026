"""The commands: their options, exit status and output. What they do is in the modules beside this folder."""
