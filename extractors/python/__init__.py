"""Python source to facts: scopes, expressions, conditions, statements, definitions."""
