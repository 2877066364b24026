"""Mutations of a source text that know its grammar: subtrees, tokens, literals, the preprocessor of C, odd bytes."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping
from typing import Final

from fuzz.trees import Range, Tree, without

Pieces = Mapping[str, list[bytes]]
Mutation = Callable[[Tree, random.Random, Pieces], bytes]
MOST_BYTES: Final = 60_000  # of a mutated text

_NUMBERS: Final = {
    "python": rb"0 1 -1 00 1_0 0x_f 1e999 -0.0 1j 0b1 0o7 1__0 0xg 9" + b"9" * 400 + b" 1" + b"0" * 5000,
    "java": rb"0 1 0L 0x7fffffff 0xffffffffL 1e999 0x1p3 08 1_0 'x' 2147483648 0b1f -0.0f 1d 9" + b"9" * 400
    + b" 0" + b"7" * 5000,
    "c": rb"0 1 0L 0u 0x7fffffffffffffffULL 04o 1e999 0x1p-3f 08 1'0 'xy' L'x' 0b1 -0.0 0x 9" + b"9" * 400
    + b" 0" + b"7" * 5000,
    "go": rb"0 1 -1 0x_f 0o17 0b1 1e999 0x1p-3 1i 'x' '\x00' 1_0 08 0x 9" + b"9" * 400 + b" 1" + b"0" * 5000,
}  # fmt: skip
_STRINGS: Final = {
    "python": [b"''", b"b'\\xff'", b"f'{x!r:{y}}'", b"'\\N{DASH}'", b"'''a\n'''", b"'\\ud800'", b"r'\\'", b"'\\0'"],
    "java": [b'""', b'"\\u0022"', b'"""\n a\\n"""', b"'\\''", b'"\\777"', b"'\\uD800'", b'"\\', b'"\\u000a"'],
    "c": [b'""', b'"a" "b"', b'L"x"', b'u8"\\xffffff"', b"'\\0'", b'"\\\n"', b'"%s%n"', b"<x.h>", b'R"(x)"'],
    "go": [b'""', b"``", b'"\\xff"', b'"\\u00e9"', b"`a\nb`", b"'\\''", b'"\\777"', b"'\\U00110000'", b'"\\'],
}
_NAMES: Final = {
    "python": b"self cls None True __class__ super _ __init__ match print type \xc3\xa9 \xe2\x84\xaa \xef\xbc\xa1 x",
    "java": b"this super null true var record yield String Object _ $ \\u0061b Optional \xc3\xa9 A x",
    "c": b"NULL sizeof main malloc free __func__ __VA_ARGS__ defined va_arg restrict _Generic offsetof a$b bool x",
    "go": b"nil true iota _ init main len cap append make new panic recover error any string int C unsafe \xc3\xa9 x",
}
_OPERATORS: Final = {
    "python": rb"== != < > <= >= is in and or not + - * / // % ** @ | & ^ << >> ~ = += := -> . , : ; ( ) [ ] { } * **",
    "java": rb"== != < > <= >= && || ! + - * / % | & ^ << >> >>> ~ = += -> :: ? : instanceof . , ; ( ) [ ] { } ++ --",
    "c": rb"== != < > <= >= && || ! + - * / % | & ^ << >> ~ = += -> . ? : , ; ( ) [ ] { } ++ -- sizeof # ##",
    "go": rb"== != < > <= >= && || ! + - * / % | & ^ &^ << >> = := += <- ... . , ; : ( ) [ ] { } ++ -- ~",
}
_NULLS: Final = {"python": b"None", "java": b"null", "c": b"NULL", "go": b"nil"}
_ODD_BYTES: Final = [
    b"\0", b"\xef\xbb\xbf", b"\r", b"\r\n", b"\f", b"\v", b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xf4\x90\x80\x80",
    b"\\\n", b"\\\r\n", b"\x1a", b"\x1b[31m", "\u2028".encode(), "\u202e".encode(), "\u00a0".encode(), b"\t", b"??/\n",
    "\U0001f600".encode(), b"<%", b"%:", b"/*", b"*/", b"//", b"#", b'"', b"'", b'"""', b"`", b"$", b"@", b"\\",
]  # fmt: skip
_CONDITIONS: Final = (
    rb"#if A|#ifdef A|#ifndef A|#if 0|#if 1|#if defined(A) && B > 1|#if A(1,2)|#if 1/0|#elif B|#else|#endif|#if 04o"
)


def mutated(source: bytes, language: str, chance: random.Random, pieces: Pieces) -> bytes:
    """The text after one to six mutations."""
    for _ in range(min(chance.randint(1, 6), chance.randint(1, 6))):
        every = [*_OF_ALL, *(_OF_C * 2 if language == "c" else ())]
        mutation = chance.choices([each for each, _ in every], [weight for _, weight in every])[0]
        changed = mutation(Tree(source, language), chance, pieces)
        if len(changed) <= MOST_BYTES:
            source = changed
    return source


def _some(tree: Tree, chance: random.Random, kinds: re.Pattern[str] | None = None) -> Range | None:
    """A named node, small ones as likely as large ones."""
    nodes = [each for each in tree.named() if kinds is None or kinds.search(each.kind)]
    if not nodes:
        return None
    if kinds is None:
        kind = chance.choice(sorted({each.kind for each in nodes}))
        nodes = [each for each in nodes if each.kind == kind]
    return chance.choice(nodes)


def _put(tree: Tree, each: Range | None, text: bytes) -> bytes:
    return tree.source if each is None else tree.source[: each.start] + text + tree.source[each.end :]


def _delete(tree: Tree, chance: random.Random, pieces: Pieces) -> bytes:
    return _put(tree, _some(tree, chance), b"")


def _repeat(tree: Tree, chance: random.Random, pieces: Pieces) -> bytes:
    each = _some(tree, chance)
    if each is None:
        return tree.source
    between = chance.choice([b"\n", b" ", b"", _line_start(tree, each)])
    return _put(tree, each, between.join([tree.text(each)] * chance.choice([2, 2, 3, 10, 60])))


def _swap(tree: Tree, chance: random.Random, pieces: Pieces) -> bytes:
    """Two nodes of a kind change places."""
    one = _some(tree, chance)
    others = [] if one is None else [other for other in tree.named() if other.kind == one.kind]
    others = [other for other in others if one and (other.end <= one.start or other.start >= one.end)]
    if one is None or not others:
        return tree.source
    other = chance.choice(others)
    early, late = sorted((one, other), key=lambda each: each.start)
    middle = tree.source[early.end : late.start]
    return b"".join(
        [tree.source[: early.start], tree.text(late), middle, tree.text(early), tree.source[late.end :]]
    )  # fmt: skip


def _splice(tree: Tree, chance: random.Random, pieces: Pieces) -> bytes:
    """A subtree of another file takes the place of one of its kind."""
    each = _some(tree, chance)
    return tree.source if each is None else _put(tree, each, chance.choice(pieces.get(each.kind) or [b""]))


def _transplant(tree: Tree, chance: random.Random, pieces: Pieces) -> bytes:
    """A subtree of any kind takes the place of one."""
    return _put(tree, _some(tree, chance), chance.choice(pieces[chance.choice(sorted(pieces))]))


def _add(tree: Tree, chance: random.Random, pieces: Pieces) -> bytes:
    """A subtree of another file stands before one of its kind."""
    each = _some(tree, chance)
    if each is None or each.kind not in pieces:
        return tree.source
    return _put(tree, each, chance.choice(pieces[each.kind]) + _line_start(tree, each) + tree.text(each))


def _nest(tree: Tree, chance: random.Random, pieces: Pieces) -> bytes:
    """What is around a node within a node of its kind is put around it again and again."""
    nodes = tree.named()
    pairs = []
    stack: list[Range] = []
    for each in nodes:
        while stack and stack[-1].end <= each.start:
            stack.pop()
        pairs += [(outer, each) for outer in stack if outer.kind == each.kind]
        stack.append(each)
    if not pairs:
        return tree.source
    kind = chance.choice(sorted({outer.kind for outer, _ in pairs}))
    outer, inner = chance.choice([pair for pair in pairs if pair[0].kind == kind])
    before, after = tree.source[outer.start : inner.start], tree.source[inner.end : outer.end]
    times = min(chance.choice([2, 3, 8, 30, 200, 1000]), MOST_BYTES // (len(before) + len(after) + 1))
    return _put(tree, outer, before * times + tree.text(inner) + after * times)


def _hoist(tree: Tree, chance: random.Random, pieces: Pieces) -> bytes:
    """A node within another takes its place."""
    outer = _some(tree, chance)
    inner = [each for each in tree.named() if outer and outer.start <= each.start and each.end <= outer.end]
    return _put(tree, outer, tree.text(chance.choice(inner))) if inner else tree.source


def _operator(tree: Tree, chance: random.Random, pieces: Pieces) -> bytes:
    marks = [each for each in tree.ranges if not each.named]
    new = chance.choice(_OPERATORS[tree.language].split())
    return _put(tree, chance.choice(marks), new) if marks else tree.source


def _identifier(tree: Tree, chance: random.Random, pieces: Pieces) -> bytes:
    """A name becomes another: of the file, an odd one, or one of 3,000 characters; here or everywhere."""
    names = [each for each in tree.named() if each.kind.endswith("identifier")]
    if not names:
        return tree.source
    one = chance.choice(names)
    odd = chance.choice(_NAMES[tree.language].split())
    new = chance.choice([*[tree.text(chance.choice(names))] * 3, odd, odd, b"x" * 3000])
    if chance.random() < 0.3:
        old = re.escape(tree.text(one))
        return re.sub(rb"\b%b\b" % old, lambda _: new, tree.source) if old[:1].isalpha() else tree.source
    return _put(tree, one, new)


_LITERALS: Final = re.compile("integer|float|number|string|character|literal|null|none|true|false|concatenated")


def _literal(tree: Tree, chance: random.Random, pieces: Pieces) -> bytes:
    numbers, strings = _NUMBERS[tree.language].split(), _STRINGS[tree.language]
    new = chance.choice([*numbers, *strings, _NULLS[tree.language]])
    return _put(tree, _some(tree, chance, _LITERALS), new)


_EXPRESSIONS: Final = re.compile("expression|identifier|call|invocation|attribute|subscript|literal|creation")


def _null(tree: Tree, chance: random.Random, pieces: Pieces) -> bytes:
    return _put(tree, _some(tree, chance, _EXPRESSIONS), _NULLS[tree.language])


def _wrap(tree: Tree, chance: random.Random, pieces: Pieces) -> bytes:
    """An expression gets brackets or prefixes, once or many times."""
    each = _some(tree, chance, _EXPRESSIONS)
    if each is None:
        return tree.source
    times = chance.choice([1, 1, 2, 50, 600])
    before, after = chance.choice(
        [(b"(", b")"), (b"!", b""), (b"-", b""), (b"", b".x"), (b"", b"()"), (b"", b"[0]"), (b"f(", b")"), (b"*", b""),
         (b"&", b""), (b"not ", b""), (b"x if y else ", b""), (b"y ? x : ", b""), (b"", b"->x"), (b"x = ", b""),
         (b"() -> ", b""), (b"lambda: ", b""), (b"[", b"]"), (b"(A) ", b""), (b"x and ", b""), (b"x || ", b"")]
    )  # fmt: skip
    return _put(tree, each, before * times + tree.text(each) + after * times)


def _odd_bytes(tree: Tree, chance: random.Random, pieces: Pieces) -> bytes:
    """Between two tokens or anywhere."""
    at = _boundary(tree, chance) if chance.random() < 0.6 else chance.randint(0, len(tree.source))
    return tree.source[:at] + chance.choice(_ODD_BYTES) * chance.choice([1, 1, 1, 3]) + tree.source[at:]


def _whole_file(tree: Tree, chance: random.Random, pieces: Pieces) -> bytes:
    """Another encoding, other line ends, a mark in front."""
    source = tree.source
    match chance.randrange(7):
        case 0:
            return source.replace(b"\n", b"\r\n")
        case 1:
            return source.replace(b"\n", b"\r")
        case 2:
            return b"\xef\xbb\xbf" + source
        case 3:
            return source.replace(b"\n", b"\n\f")
        case 4:
            return source.decode("utf-8", "replace").encode(chance.choice(["utf-16", "utf-16-le", "utf-32"]))
        case 5:
            return source.replace(b"    ", b"\t")
        case _:
            return b"# -*- coding: latin-1 -*-\n" + source


def _truncate(tree: Tree, chance: random.Random, pieces: Pieces) -> bytes:
    at = _boundary(tree, chance) if chance.random() < 0.5 else chance.randint(0, len(tree.source))
    return tree.source[:at] if chance.random() < 0.7 else tree.source[at:]


def _token(tree: Tree, chance: random.Random, pieces: Pieces) -> bytes:
    """A token is left out, comes twice, or another one comes in."""
    leaves = tree.leaves()
    if not leaves:
        return tree.source
    one, other = chance.choice(leaves), chance.choice(leaves)
    new = chance.choice([b"", tree.text(one) + b" " + tree.text(one), tree.text(other), b" ".join(
        [tree.text(other), tree.text(one)])])  # fmt: skip
    return _put(tree, one, new)


def _lines(tree: Tree, chance: random.Random, pieces: Pieces) -> bytes:
    """A few lines go, come twice or move."""
    lines = tree.source.split(b"\n")
    start = chance.randrange(len(lines))
    some = lines[start : start + chance.choice([1, 1, 2, 5])]
    match chance.randrange(3):
        case 0:
            lines[start : start + len(some)] = []
        case 1:
            lines[start:start] = some
        case _:
            lines[start : start + len(some)] = []
            to = chance.randint(0, len(lines))
            lines[to:to] = some
    return b"\n".join(lines)


# C


def _conditional(tree: Tree, chance: random.Random, pieces: Pieces) -> bytes:
    """A node stands under a condition of the preprocessor, alone or beside another."""
    each = _some(tree, chance)
    if each is None:
        return tree.source
    condition = chance.choice([line for line in _CONDITIONS.split(b"|") if line.startswith(b"#if")])
    other = chance.choice(pieces.get(each.kind) or [b""])
    middle = chance.choice([b"", b"#else\n%b\n" % other, b"#elif B\n%b\n#else\n" % other])
    times = chance.choice([1, 1, 1, 2, 20])
    text = b"\n%b\n%b\n%b#endif\n" % (condition, tree.text(each), middle)
    return _put(tree, each, b"\n#if C\n" * (times - 1) + text + b"\n#endif\n" * (times - 1))


def _directives(tree: Tree, chance: random.Random, pieces: Pieces) -> bytes:
    """Lines of the preprocessor between tokens, whether or not they fit together."""
    source = tree.source
    lines = chance.choices(_CONDITIONS.split(b"|"), k=chance.choice([1, 2, 2, 3]))
    places = sorted((_boundary(tree, chance) for _ in lines), reverse=True)
    for at, line in zip(places, lines, strict=True):
        source = source[:at] + b"\n" + line + b"\n" + source[at:]
    return source


def _object_macro(tree: Tree, chance: random.Random, pieces: Pieces) -> bytes:
    """A macro stands for a node, or for nothing somewhere."""
    name = chance.choice([b"NOTHING", b"M1", b"foo", b"NULL", b"if", b"assert"])
    if chance.random() < 0.4:
        source = tree.source
        for _ in range(chance.choice([1, 2, 5])):
            at = _boundary(tree, chance)
            source = source[:at] + b" " + name + b" " + source[at:]
        return b"#define " + name + b"\n" + source
    each = _some(tree, chance)
    if each is None:
        return tree.source
    return b"#define %b %b\n" % (name, _one_line(tree.text(each))) + _put(tree, each, name)


def _function_macro(tree: Tree, chance: random.Random, pieces: Pieces) -> bytes:
    """A macro with up to three of a node's names as parameters stands for it."""
    each = _some(tree, chance, re.compile("expression|statement|definition|declaration"))
    if each is None:
        return tree.source
    names = list(dict.fromkeys(re.findall(rb"[A-Za-z_]\w*", tree.text(each))))[: chance.randint(0, 3)]
    text = _one_line(tree.text(each))
    if chance.random() < 0.2:
        text = text.replace(b"(", b"## (", 1) if chance.random() < 0.5 else b"#" + text
    parameters = names if chance.random() < 0.8 else [b"..."]
    call = b"M2(%b)" % b", ".join(names if chance.random() < 0.8 else names[1:])
    return b"#define M2(%b) %b\n" % (b", ".join(parameters), text) + _put(tree, each, call)


def _nested_macros(tree: Tree, chance: random.Random, pieces: Pieces) -> bytes:
    """Macros that use each other, each several times or itself, around an expression."""
    each = _some(tree, chance, _EXPRESSIONS)
    if each is None:
        return tree.source
    depth, uses = chance.randint(1, 13), chance.randint(1, 10)
    joint = chance.choice([b" + ", b" && ", b", ", b" ", b"; ", b" ? x : "])
    lines = [b"#define N0(x) %b" % chance.choice([b"x", b"f(x)", b"N1(x)", b"(*x)", b"x->next"])]
    for level in range(1, depth + 1):
        lines.append(b"#define N%d(x) %b" % (level, joint.join([b"N%d(x)" % (level - 1)] * uses)))
    return b"\n".join([*lines, _put(tree, each, b"N%d(%b)" % (depth, _one_line(tree.text(each))))])


def _one_line(text: bytes) -> bytes:
    return b" ".join(text.split())


def _boundary(tree: Tree, chance: random.Random) -> int:
    leaves = tree.leaves()
    return chance.choice(leaves).start if leaves else 0


def _line_start(tree: Tree, each: Range) -> bytes:
    """A line end and the indentation of the line that a node stands on."""
    line = tree.source[tree.source.rfind(b"\n", 0, each.start) + 1 : each.start]
    return b"\n" + line[: len(line) - len(line.lstrip())]


def _thin(tree: Tree, chance: random.Random, pieces: Pieces) -> bytes:
    """Several nodes go."""
    nodes = tree.named()
    return without(tree.source, [each[2:] for each in chance.sample(nodes, min(len(nodes), chance.randint(2, 6)))])


_OF_ALL: Final[list[tuple[Mutation, float]]] = [
    (_splice, 5), (_delete, 2), (_repeat, 2), (_swap, 3), (_transplant, 2), (_add, 3), (_nest, 2), (_hoist, 2),
    (_operator, 2), (_identifier, 3), (_literal, 3), (_null, 2), (_wrap, 2), (_odd_bytes, 2), (_whole_file, 0.4),
    (_truncate, 0.7), (_token, 2), (_lines, 1), (_thin, 1),
]  # fmt: skip
_OF_C: Final[list[tuple[Mutation, float]]] = [
    (_conditional, 3), (_directives, 2), (_object_macro, 2), (_function_macro, 3), (_nested_macros, 0),
]  # fmt: skip
