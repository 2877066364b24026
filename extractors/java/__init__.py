"""Java source to facts: declarations, names, types, expressions, conditions, statements, switches, classes."""
