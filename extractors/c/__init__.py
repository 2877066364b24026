"""C source to facts, by tree-sitter-c: no compiler, no headers, no build.

`repair` makes a file parse that only the preprocessor could read, `declarations` reads declarators and types, `macros`
the file's own macros. `names`, `memory`, `exits` and `lowering` are layers of one class, the state of a file that is
lowered; the other modules add handlers by node type, or say what is known of an expression (`operands`, `places`).
"""
