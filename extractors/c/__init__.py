"""C source to facts, by tree-sitter-c: no compiler, no headers, no build.

`repair` makes a file parse that only the preprocessor could read, `declarations` reads declarators and types, `macros`
the file's own macros; `translation` makes instructions of what was read, and the passes make facts of those.
"""
