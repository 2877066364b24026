"""C sources that could cost an extractor more than their size."""

from __future__ import annotations

from pathological import Generator, each_of_all, encoded, nested, parts, repeated

_BODY = "struct s { int v; struct s *next; };\nint f(struct s *p, struct s *q, int x)\n{\n"
_END = "\nreturn p->v;\n}\n"
_WORDS = (
    *(
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        ";",
        ",",
        "if",
        "else",
        "while",
        "struct",
        "p",
        "q",
        "->",
        ".",
        "*",
        "&",
        "+",
        "=",
        "==",
    ),
    *("0", "1", '"', "'", "#", "\n", "int", "x", "f", "case", ":", "?", "void", "define", "endif"),
)
_DEPTH = 300
_LEVELS = 4000  # of macros that use those before them: more than any budget


def _in(unit: str, before: str = "", after: str = "") -> Generator:
    return repeated(unit, _BODY + before, after + _END)


def _inside(opening: str, closing: str, before: str = "", inside: str = "p", after: str = ";") -> Generator:
    return nested(opening, closing, _BODY + before, inside, after + _END)


def _parts(*units: str) -> Generator:
    """Units with a number as often as each fits into its share, the others once."""

    def generate(size: int) -> bytes:
        many = [unit for unit in units if "{n}" in unit]
        share = (size - sum(len(unit) for unit in units if unit not in many)) // len(many)
        return b"".join(repeated(unit)(share) if unit in many else unit.encode() for unit in (*units, _END))

    return generate


def _nests(opening: str, closing: str, before: str = "", inside: str = "p", after: str = ";\n") -> Generator:
    """Statements that are nested as deep as a function may be, one after the other."""
    return _in(before + opening * _DEPTH + inside + closing * _DEPTH + after)


def _multiplying(first: str, one: str, joint: str, use: str) -> Generator:
    """Macros that each use the one before ten times."""

    def generate(size: int) -> bytes:
        lines, length = [first], 0
        while length < size and len(lines) < _LEVELS:
            uses = joint.join([one.replace("{m}", str(len(lines) - 1))] * 10)
            name = one.replace("{m}", str(len(lines)))
            lines.append(f"#define {name} {uses}" if ";" in joint else f"#define {name} ({uses})")
            length += len(lines[-1]) + 1
        return ("\n".join(lines) + "\n" + _BODY + use.replace("{m}", str(len(lines) - 1)) + _END).encode()

    return generate


def _of_each_other(size: int) -> bytes:
    lines = [f"#define R{i}(x) (R{(i + 1) % 1000}(x) + R{(i + 7) % 1000}(x))\n" for i in range(1000)]
    return ("".join(lines) + _BODY + "x = R1(p);\n" * max(1, (size - 40_000) // 11) + _END).encode()


def _wide(size: int) -> bytes:
    names = [f"a{i}" for i in range(max(1, size // 17))]
    define = f"#define W({', '.join(names)}) ({' + '.join(names)})\n"
    return (define + _BODY + f"x = W({', '.join('1' for _ in names)});" + _END).encode()


def _deep_arguments(size: int) -> bytes:
    """An argument that is used five times, of calls in each other."""
    depth = min(size // 3, _LEVELS)
    define = "#define T(x) (x ? x : x ? x : x)\n"
    return (define + _BODY + "q = " + "T(" * depth + "p" + ")" * depth + ";" + _END).encode()


def _jumps(size: int) -> bytes:
    count = max(2, size // 32)
    jumps = "".join(f"l{i}: if (x == {i}) goto l{(i * 7 + 3) % count};\n" for i in range(count))
    return (_BODY + jumps + _END).encode()


def _garbage(size: int) -> bytes:
    """Words of C in no order, the same each time."""
    state, chosen, length = 1, list[str](), 0
    while length < size:
        state = (state * 1103515245 + 12345) % 2**31
        chosen.append(_WORDS[(state >> 8) % len(_WORDS)])
        length += len(chosen[-1]) + 1
    return " ".join(chosen).encode()


def _named_structs(size: int) -> bytes:
    depth = size // 40
    inner = "".join(f"struct t{i} {{ int a{i}; " for i in range(depth))
    return (inner + "int z;" + "".join(f"}} m{i};" for i in range(depth))).encode()


def _long(size: int) -> bytes:
    name = "a" * (size // 40)
    return (_BODY + f"struct s *{name} = p;\n" + f"{name}->v++;\n" * 39 + _END).encode()


def _on_one_line(generator: Generator) -> Generator:
    return lambda size: generator(size).replace(b"\n", b" ")


GENERATORS: dict[str, Generator] = {
    "ordinary functions": repeated(
        "struct s{n} { int v; };\nint f{n}(struct s{n} *p)\n{\n\tif (!p)\n\t\treturn 0;\n\treturn p->v;\n}\n"
    ),
    # Depth.
    "parentheses": _inside("(", ")", "x = "),
    "parentheses outside of functions": nested("(", ")", "int x = ", "1", ";"),
    "unclosed parentheses": _in("(", "x = "),
    "blocks": _inside("{", "}", inside="x++;", after=""),
    "unclosed blocks": _in("{"),
    "closed blocks": _in("}"),
    "negations": _inside("!", "", "x = "),
    "stars": _inside("*", "", "x = "),
    "addresses": _inside("&", "", "x = "),
    "designators among arguments": _in("MAKE(p, .v = x, .next = q,);\n"),
    "designators in designators": _inside("MAKE(p, .v = ", ",)", ""),
    "lists in designators": _inside("MAKE(p, .v = {MAKE(", ")})", ""),
    "macros that are heads": repeated("HEAD(f{n}, struct s *p, int x)\n{\n\tp->v = x;\n}\n"),
    "macros that are loops": repeated(
        "#define EVERY{n}(v, l) for (v = l; v; v = v->next)\n"
        "void f{n}(struct s *p, struct s *q)\n{\n\tEVERY{n}(p, q)\n\tp->v = 1;\n}\n"
    ),
    "casts": _inside("(struct s *)", "", "q = "),
    "sums": _in(" + x", "x = x", ";"),
    "conjunctions": _in(" && p", "if (p", ") x = 1;"),
    "comparisons in conjunctions": _in(" && x != {n}", "if (p", ") x = 1;"),
    "disjunctions of conjunctions": _in(" || (p && x == {n})", "if (p", ") x = p->v;"),
    "conditional expressions": _inside("p ? q : ", "", "q = "),
    "conditional expressions to the left": _inside("(p ? ", " : q)", "q = "),
    "commas": _in(", x++", "x++", ";"),
    "arrows": _in("->next", "q = p", ";"),
    "subscripts": _in("[0]", "x = p", ";"),
    "calls of calls": _inside("f(", ", q, 1)", "x = "),
    "calls of calls alone": _inside("f(", ")", "x = "),
    "calls of results": _in("()", "x = f", ";"),
    "assignments": _inside("q = ", ""),
    "minuses": _inside("- ", "", "x = "),
    "else if": _in("else if (x == {n}) x = {m};\n", "if (p) x = 1;\n"),
    "ifs in ifs": _inside("if (p) ", ""),
    "ifs with else in ifs": _inside("if (p) { ", "} else x--;", inside="x++;", after=""),
    "while in while": _inside("while (p) ", ""),
    "do in do": _inside("do ", " while (p);", inside="x++;", after=""),
    "for in for": _inside("for (;p;) ", ""),
    "switch in switch": _inside("switch (x) { case 1: ", "}", inside="x++;", after=""),
    "labels of labels": _in("a{n}: "),
    "pointers to pointers": _inside("*", "", "int ", "z"),
    "arrays of arrays": _in("[2]", "int z", ";"),
    "declarators": _inside("(*", ")(void)", "int ", "z"),
    "declarators outside of functions": nested("(*", ")(void)", "int ", "z", ";"),
    "structs in structs": nested("struct { int a; ", "} m;", "struct t { ", "int b;", "};"),
    "anonymous structs in structs": nested("struct { int a{n}; ", "};", "struct t { ", "int b;", "};"),
    "named structs in structs": _named_structs,
    "initialisers in initialisers": _inside("{", "}", "struct s z = ", "1"),
    "statement expressions": _inside("({ ", "; })", "x = "),
    "sizeof": _inside("sizeof ", "", "x = "),
    "compound literals": _inside("&(struct s){ .next = ", " }", "q = "),
    "strings beside strings": _in('"a" ', "g(", ");"),
    "generics": _inside("_Generic(x, int: ", ")", "x = "),
    "attributes": _inside("__attribute__((nonnull)) ", "", inside="int z"),
    "typedefs of typedefs": repeated("typedef t{m} *t{n};\n", "typedef int t0;\n"),
    "parentheses, again and again": _nests("(", ")", "x = "),
    "blocks, again and again": _nests("{", "}", inside="x++;", after="\n"),
    "negations, again and again": _nests("!", "", "x = "),
    "stars in parentheses, again and again": _nests("(*", ")", "x = "),
    "casts, again and again": _nests("(struct s *)", "", "q = "),
    "sums, again and again": _nests(" + x", "", "x = x", ""),
    "products of sums, again and again": _nests("(x + 2) * (", ")", "if (x > ", "x", ") x = 1;\n"),
    "conjunctions, again and again": _nests("(p && ", ")", "if (", "q", ") x = p->v;\n"),
    "conditional expressions, again and again": _nests("p ? q : ", "", "q = "),
    "commas, again and again": _nests(", x++", "", "x++", ""),
    "arrows, again and again": _nests("->next", "", "q = p", ""),
    "members, again and again": _nests(".next", "", "q = p->next", ""),
    "members in conditions, again and again": _nests(".next", "", "if (p->next", " == 1", ") q = p;\n"),
    "subscripts, again and again": _nests("[x]", "", "q = p", ""),
    "calls, again and again": _nests("f(", ", q, 1)", "x = "),
    "assignments, again and again": _nests("q = ", ""),
    "ifs, again and again": _nests("if (p) ", "", inside="x++", after=";\n"),
    "loops, again and again": _nests("while (p) ", "", inside="x++", after=";\n"),
    "loops that count, again and again": _nests("for (x = 0; x < 9; x++) ", "", inside="q++", after=";\n"),
    "switches, again and again": _nests("switch (x) { case 1: ", "}", inside="x++;", after="\n"),
    "declarators, again and again": _nests("(*", ")(void)", "int ", "z{n}"),
    "structs, again and again": repeated(
        "struct t{n} { " + "struct { int a; " * 300 + "int b{n};" + "} m;" * 300 + "};\n"
    ),
    "anonymous structs, again and again": repeated(
        "struct t{n} { " + "struct { int a{n}; " * 300 + "int b{n};" + "};" * 301 + "\n"
    ),
    # Number.
    "lines of a function": _in("x = x + {n};\n"),
    "declarations of a function": _in("int v{n} = v{m} + 1;\n", "int v0 = 1;\n"),
    "pointers of a function": _in("struct s *q{n} = p; if (q{n}) x += q{n}->v;\n"),
    "ifs": _in("if (p) x = p->v;\n"),
    "ifs that join": _in("if (x == {n}) q = p; else q = 0;\n"),
    "ifs that set two": _in("if (x > {n}) { p = q; x = 0; } else if (q) q = p->next;\n"),
    "loops": _in("while (p) p = p->next;\n"),
    "calls": _in("q = g(p, x, q); if (!q) return {n};\n"),
    "calls in the file": repeated(
        "q = f(p, q, {n}); if (!q) x++;\n", _BODY + _END + _BODY.replace("int f", "int g"), _END
    ),
    "returns": _in("if (x == {n}) return {m};\n"),
    "stores": _in("p->f{n} = q; q = p->f{n};\n"),
    "stores to one field": _in("p->next = q; q = q->next;\n"),
    "stores behind calls": _parts(_BODY, "p->f{n} = q;\n", "g(p, {n});\n"),
    "addresses of variables": _in("int a{n}; g(&a{n});\n"),
    "addresses that are kept": _in("struct s *a{n}; q->f{n} = &a{n}; g(a{n});\n"),
    "frees": _in("struct s *m{n} = malloc(8); if (!m{n}) goto out; free(m{n});\n", after="out: ;"),
    "reads of a global": repeated("if (all) all->next = q; g();\n", "struct s *all;\n" + _BODY, _END),
    "variables declared at once": repeated("a{n} = g({n}), ", _BODY + "int ", "z;" + _END),
    "one name in many blocks": repeated("{ int a = g(&a); } x += all;\n", "static int all, a = 1;\n" + _BODY, _END),
    "globals": _parts("struct s *g{n};\n", _BODY, "if (!g{n}) g{n} = p; h(g{n});\n"),
    "globals that are numbers": _parts("static int g{n};\n", _BODY, "x += g{n}; g{n} = x;\n"),
    "globals and functions without end": parts(("static int g{n};\n", _BODY, "x += g{n}; g{n} = x;\n")),
    "calls of what sets globals": _parts(
        "int *g{n};\n", "void h(void) {\n", "g{n} = 0;\n", "}\n" + _BODY, "h(); x = {n};\n"
    ),
    "calls of what sets fields": _parts("void h(struct s *p) {\n", "p->f{n} = 0;\n", "}\n" + _BODY, "h(p); x = {n};\n"),
    "calls of functions of one name": _parts(
        "int h(int x) { if (x > {n}) return 1; return 0; }\n", _BODY, "x = h(x + {n});\n"
    ),
    "cases": _in("case {n}: x = {m};\n", "switch (x) {\n", "}\n"),
    "cases that break": _in("case {n}: q = p; break;\n", "switch (x) {\n", "}\n"),
    "ranges of cases": _in("case {m} ... {n}: x = 1; break;\n", "switch (x) {\n", "}\n"),
    "enumerators": repeated("E{n},\n", "enum e {\n", "};\n"),
    "enumerators by the one before": repeated("E{n} = E{m} + 1,\n", "enum e { E0,\n", "};\n"),
    "elements of an array": repeated("{n},\n", "int table[] = {\n", "};\n"),
    "elements of a local array": _in("{n},\n", "int table[] = {\n", "};\n"),
    "structs of an array": repeated(
        "{ .v = {n}, .next = &z },\n", "struct s { int v; struct s *next; } z, table[] = {\n", "};\n"
    ),
    "strings of an array": repeated('"name{n}",\n', "const char *table[] = {\n", "};\n"),
    "designated elements": repeated("[{n}] = f{n},\n", "int (*table[])(void) = {\n", "};\n"),
    "labels": _in("l{n}: if (x == {n}) goto l{m};\n", after="l0: ;\n"),
    "jumps between labels": _jumps,
    "jumps to one label": _in("if (x == {n}) goto out;\n", after="out: ;\n"),
    "computed jumps": _in("l{n}: goto *p;\n"),
    "functions": repeated("int f{n}(int *p) { return *p; }\n"),
    "functions of one name": repeated("int f(int *p) { return p ? *p : 0; }\n"),
    "chain of functions": repeated("int f{n}(int *p) { return f{m}(p); }\n", "int f0(int *p) { return *p; }\n"),
    "chain of functions, callees below": repeated("int f{m}(int *p) { return f{n}(p); }\n"),
    "functions that all call each other": each_of_all(
        "struct s *f{n}(struct s *p)\n{\n", "p = f{m}(p);\n", "return p;\n}\n"
    ),
    "prototypes": repeated("int f{n}(int *p) __attribute__((nonnull));\n"),
    "parameters": repeated("int a{n}, ", "int g(", "int z) { return z; }\n"),
    "parameters that are used": _parts("int g(", "struct s *a{n}, ", "int z) {\n", "if (a{n}) z = a{n}->v;\n"),
    "parameters that are set": _parts(
        "void h(", "struct s *a{n}, ", "int z) {\n", "a{n}->next = 0;\n", "}\n" + _BODY, "h(p, p, q, {n});\n"
    ),
    "arguments": _in("p, ", "g(", "p);"),
    "fields": repeated("int *a{n};\n", "struct t {\n", "};\n"),
    "globals declared at once": repeated("*a{n}, ", "int ", "z;\n"),
    "typedefs": repeated("typedef struct s{n} t{n};\n"),
    "statics": repeated("static int a{n} = {n};\n"),
    # Macros.
    "macros": repeated("#define M{n}(x) (x + {n})\n"),
    "macros that all are used": _parts("#define M{n}(x) (x + {n})\n", _BODY, "x = M{n}(x);\n"),
    "macros that assign": _parts("#define M{n}(x) x = {n}\n", _BODY, "M{n}(x);\n"),
    "macros that multiply": _multiplying("#define M0(x) if (x) g(x)", "M{m}(x)", "; ", "M{m}(p);"),
    "expressions that multiply": _multiplying("#define E0 (x + 1)", "E{m}", " + ", "if (E{m} > 3) x = E{m};"),
    "conditions that multiply": _multiplying("#define E0 (p && q)", "E{m}", " && ", "if (E{m}) x = E{m};"),
    "pointers that multiply": _multiplying("#define E0(p) (p)->next", "E{m}(p)", " ? ", "q = E{m}(p);"),
    "arguments that multiply": _deep_arguments,
    "chain of macros": repeated("#define N{n} N{m}\n", "#define N0 1\n", "int f(int x) { return x ? N999 : N9; }\n"),
    "macros of each other": _of_each_other,
    "parameters of a macro": _wide,
    "uses of a macro": repeated(
        "USE(p, {n});\n", "#define USE(a, b) do { if (a) x += (a)->v; else x--; } while (0)\n" + _BODY, _END
    ),
    "pastes": _parts(
        "#define P{n}(a, b) a ## b ## {n} #a # # b ##\n#define Q{n}() ##\n#define S{n} #\n",
        _BODY,
        "P{n}(p, q); Q{n}(); S{n}; x = P{n}(, ); P{n};\n",
    ),
    "a macro of one size": lambda size: parts(
        ("if (p) x += (p)->v; ", "} while (0)\n" + _BODY.ljust(size // 3), "BIG(p);\n"), "#define BIG(p) do { ", _END
    )(size),
    "a macro in conditions": repeated(
        "if (OK(p) && OK(q)) x = p->v;\n", "#define OK(p) ((p) && (p)->v)\n" + _BODY, _END
    ),
    # The preprocessor.
    "#if in #if": _inside("#if A{n}\n", "#endif\n", inside="x++;\n", after=""),
    "#if in #if, unclosed": _in("#if A{n}\n"),
    "#if 0 in #if 0": _inside("#if 0\n", "#endif\n", inside="x++;\n", after=""),
    "#if in #if outside of functions": nested("#if A\n", "#endif\n", "", "int y;\n"),
    "#elif": _in("#elif A{n}\nx = {m};\n", "#if A\n", "#endif\n"),
    "#if in a row": _in("#if A{n}\nx = {m};\n#endif\n"),
    "#if around halves": _in("#if A\nif (p) {\n#else\nif (q) {\n#endif\n}\n"),
    "#if around a brace": _in("#ifdef A{n}\n}\n#endif\n"),
    "#if around halves of functions": repeated(
        "#if A\nint f{n}(int a) {\n#else\nint f{n}(long a) {\n#endif\nreturn a;\n}\n"
    ),
    "#endif": _in("#endif\n"),
    "#if of C++": nested("#ifdef __cplusplus\n", "#endif\n", "", 'extern "C" {\n'),
    "includes": repeated('#include "f{n}.h"\n'),
    "a condition of #if": repeated(" && defined(A{n})", "#if 1", "\nint x;\n#endif\n"),
    "continued lines": _in("\\\n", "x = 1 ", ";"),
    "continued lines of a macro": repeated(" x++; \\\n", "#define M ", "\n"),
    "continued directives": _in("#if A \\\n || B{n}\nx++;\n#endif\n"),
    "continued endifs": _in("#if A\\\n\\\n\\\n\\\n\\\n}\\\n\n(\n"),
    "trigraphs": _in("??= ??/\n??( ??)\n"),
    # Size.
    "an identifier": _in("a", "int ", " = 1;"),
    "an identifier that is used": _long,
    "a string": _in("a", 'g("', '");'),
    "a comment": _in("a ", "/* ", " */"),
    "comments": _in("/* {n} */ x++; // {m}\n"),
    "comments that silence": _in("x++; // pliant: ignore[null]\n"),
    "a line": _on_one_line(_in("if (p) x += p->v; ")),
    "a line of a sum": _on_one_line(_in("x += 1, ")),
    "digits": _in("9", "x = ", ";"),
    "octal digits": _in("7", "x = 0", ";"),
    "hexadecimal digits": _in("f", "x = 0x", ";"),
    "a fraction": _in("9", "x = 1.", ";"),
    "digits in #if": repeated("9", "#if ", "\nint x;\n#endif\n"),
    "digits of an array": _in("9", "int z[", "];"),
    "digits of a case": _in("7", "switch (x) { case 0", ": x = 1; }"),
    "digits of an enumerator": repeated("9", "enum { E = ", ", F };"),
    "digits of a macro": repeated("7", "#define E 0", "\nint f(int x) { return x == E; }"),
    "digits of an attribute": repeated("7", "int f(int *p) __attribute__((nonnull(", ")));"),
    "line ends": _in("\n"),
    "spaces": _in(" "),
    "tabs and form feeds": _in("\t\f\v"),
    "spaces before a name": repeated(" ", "int", "f(void);\nMACRO int g(void) {\n"),
    "capitals": repeated("AB "),
    "words": repeated("ab "),
    "commas without end": _in(","),
    "semicolons": _in(";"),
    "stars without end": _in("*"),
    "brackets": _in("["),
    "angles": _in("<"),
    "quotes": _in('"'),
    "apostrophes": _in("'"),
    "backslashes": _in("\\"),
    "hashes": _in("#\n"),
    "va_arg": _in("va_arg(p, struct s *) "),
    "tests in parentheses": _in("(p) && "),
    "errors": _in("int = ; ) p-> x(;\n"),
    "errors of functions": repeated("int f{n}(int = ;) { p-> }\n"),
    "errors in arguments": _in("g(struct s *, int *);\n"),
    "errors in one argument list": _in("struct s *, int *, ", "g(", "p);"),
    "calls with a block": _in("each(p) { x++; }\n"),
    "calls with a block in such": _inside("each(p) { ", " }", inside="x++;", after=""),
    "types behind macros": repeated("MACRO int f{n}(void) MACRO2;\n"),
    "old parameters": repeated("int a{n};\n", "int g(z)\n", "{ return z; }\n"),
    "garbage": _garbage,
    "bytes of no array": repeated("0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a,\n"),
    "UTF-16": encoded(_in("x = p->v;\n"), "utf-16-le", b"\xff\xfe"),
    "a mark and carriage returns": lambda size: (
        b"\xef\xbb\xbf" + _in("if (p) x += p->v;\n\f")(size).replace(b"\n", b"\r\n")
    ),
}
