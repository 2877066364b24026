"""Random C functions about null pointers, over the declarations of `c_runs`: in variables, structures, arrays and
memory that other functions write, with numbers that tell which of them are null."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeVar

_Choice = TypeVar("_Choice")
DECLARATIONS = """
struct holder { struct node *next; };
struct box { struct holder in2; };
static struct holder holders[2];
static struct node *last;
static struct node **where;
static struct node *fresh(int n) { return n > 1 ? &nodes[1] : 0; }
static int give(struct node **out, int n)
{
    if (n > 0) { *out = &nodes[n & 1]; return 0; }
    *out = 0;
    return -1;
}
static void drop(struct node **out) { *out = 0; }
static void unlink_next(struct node *n) { n->next = 0; }
static int has(struct node *n) { return n && n->next != 0; }
static void fill(struct node *n, int x) { n->v = x; if (x > 2) n->next = &nodes[2]; }
static struct node made(int n) { struct node one = { n }; if (n > 2) one.next = &nodes[0]; return one; }
static void change(int *at) { *at += 1; }
static struct node *keep(struct node *n, int x)
{
    struct node *r = 0;
    int i;
    for (i = 0; i < x && i < 4; i++)
        if (n && n->v > i)
            r = n;
    return r;
}
static void note_place(struct node **at) { where = at; }
static void clear_place(void) { if (where) *where = 0; note(1); note(2); }
"""
_VARIABLES = """\
    int x = a, y = 1, n = b, flag = 0, fuel = 12, i = 0, ints[2] = { 0, 2 }, *ip = &x;
    unsigned u = 2, w = 0;
    struct node *r = %s;
    struct node *s = %s;
    struct node local = { 5 }, other = { 6, &nodes[2] };
    struct node *many[2] = { 0, q }, **pp = &s;
    struct box box = { { 0 } }, box2 = { { q } };
    struct holder *hp = &box.in2;
"""
_HELD = ("p", "r", "s", "r", "s", "q", "local.next", "many[0]", "many[1]", "many[a & 1]", "(*pp)", "box.in2.next")
_PLACES = ("&r", "&s", "&local.next", "&many[1]", "&many[a & 1]", "pp", "&box.in2.next", "&p", "&last", "&hp->next")


def source(random: Random, number: int) -> str:
    """A function `f<number>`."""
    made = _Made(random, _HELD, _PLACES)
    body = [line for _ in range(random.randint(4, 9)) for line in made.statement(2)]
    variables = _VARIABLES % (made.one("0", "p", "q"), made.one("0", "0", "p"))
    head = f"int f{number}(int a, int b, struct node *p, struct node *q)\n{{\n{variables}"
    return "\n".join((head, *body, "    return x + y;", "}"))


def with_status(random: Random, number: int) -> str:
    """A function `f<number>` that writes to where its last parameter points, and gives a status."""
    made = _WithStatus(random, (*_HELD, *["(*out)"] * 4), (*_PLACES, *["out"] * 4))
    made.wild = made.one(0.0, 0.1, 0.4)
    body = [line for _ in range(random.randint(3, 7)) for line in made.statement(2)]
    variables = f"    struct node *q = a > 2 ? p : 0;\n    int status = {made.one('0', '0', '-1', 'a')};\n"
    variables += _VARIABLES % (made.one("0", "p", "q"), made.one("0", "0", "p"))
    head = f"int f{number}(int a, int b, struct node *p, struct node **out)\n{{\n{variables}"
    return "\n".join((head, *body, f"    return {made.one('status', 'status', 'flag', 'x')};", "}"))


def caller(random: Random, number: int) -> str:
    """A function `g<number>` that calls `f<number>`, which gives a status, and follows what that has left."""
    made = _Made(random, _HELD, _PLACES)
    passed, used = made.one(
        ("&r", "r"), ("&r", "r"), ("&local.next", "local.next"), ("&last", "last"), ("&r", "local.next")
    )
    number_of = made.one("status", "status", "status & 4", "status + 1")
    asked = made.one("{} < 0", "{} != 0", "{}", "{} > 0", "!{}", "{} == 2", "{} <= 1").format(f"({number_of})")
    return "\n".join(
        (
            f"int g{number}(int a, int b, struct node *p, struct node *q)",
            "{",
            f"    struct node *r = {made.one('0', '0', 'q')};",
            f"    struct node local = {{ 5, {made.one('0', 'q', '&nodes[1]')} }};",
            f"    int status = {made.one('0', '1', 'b')};",
            f"    status {made.one('=', '=', '|=')} f{number}(a, b, {made.one('p', '&local', 'q')}, {passed});",
            f"    if ({asked})",
            "        return 0;",
            f"    return {used}->v;",
            "}",
        )
    )


class _Made:
    """A function under construction. held: what holds pointers; places: where those are."""

    def __init__(self, random: Random, held: Sequence[str], places: Sequence[str]) -> None:
        self._random, self._held, self._places = random, held, places

    def one(self, *choices: _Choice) -> _Choice:
        return self._random.choice(choices)

    def _number(self) -> str:
        return self.one(
            *("a", "b", "x", "y", "n", "0", "1", "2", "local.v", "ints[0]", "ints[a & 1]", "*ip", "p ? p->v : 0")
        )

    def _pointer(self) -> str:
        return self.one(
            *("p", "q", "r", "r", "s", "s", "0", "0", "&nodes[1]", "&local", "local.next", "other.next"),
            *("many[0]", "many[1]", "many[a & 1]", "*pp", "box.in2.next", "last", "*(many + 1)", "hp->next"),
            f"fresh({self._number()})",
            f"keep(p, {self._number()})",
            f"({self._condition()} ? p : 0)",
        )

    def _condition(self) -> str:
        held, place = self.one(*self._held, "last"), self.one(*self._places)
        return self.one(
            *("a > 1", "b == 2", "x", "!x", "x == y", "n != 0", "n > 1", "flag", "!flag", "flag & 1", "flag & 2"),
            *(held, f"!{held}", f"{held} != 0", f"{held} == p", f"a && {held}", f"b || !{held}", f"has({held})"),
            *("ints[0] == ints[1]", "(unsigned char) x > 2", "u < w", "w <= u", "w > 0", "u + 1 > w", "u", "1 <= u"),
            f"give({place}, {self._number()}) == 0",
            f"give({place}, {self._number()}) < 0",
        )

    def _use(self) -> str:
        held = self.one(*self._held, "other.next", "last", "hp->next")
        return self.one(f"x += {held}->v;", f"{held}->v = x;", f"y = {held}->in.lo;", f"note({held}->v);")

    def _simple(self) -> str:
        return self._plain()

    def _plain(self) -> str:
        number, pointer, place = self._number(), self._pointer(), self.one(*self._places)
        return self.one(
            *[self._use()] * 4,
            *(f"r = {pointer};", f"s = {pointer};", f"r = {pointer};", f"s = {pointer};", f"*pp = {pointer};"),
            *(f"local.next = {pointer};", f"last = {pointer};", f"box.in2.next = {pointer};"),
            f"many[{self.one('0', '1', 'a & 1')}] = {pointer};",
            f"flag = {self.one('1', '0', 'x', 'r != 0', 'flag | 1', 'flag & ~1', 'flag | 2')};",
            *(f"n = {number};", f"x = {number};", f"*ip = {number};", "x++;", "note(x);"),
            *(f"u = {number};", "w = u;", "w = u + 1;", "u++;", "x = u;"),
            f"ints[{self.one('0', '1', 'b & 1')}] = {number};",
            f"ip = {self.one('&x', '&n', '&ints[1]', '&local.v', 'ints')};",
            f"pp = {self.one('&r', '&s', '&local.next', '&many[0]', 'many', '&box.in2.next', '&hp->next')};",
            f"hp = {self.one('&box.in2', '&box2.in2', '&holders[0]', '&holders[a & 1]')};",
            *("other = local;", "local = other;", "box2 = box;", "box = box2;", f"local = made({number});"),
            f"other = *{self.one('(p ? p : &nodes[0])', '&nodes[1]', '&local')};",
            f"give({place}, {number});",
            f"x = give({place}, {number});",
            f"if (give({place}, {number})) return 0;",
            f"if (!{self.one('r', 's', 'p', 'local.next', '*pp', 'many[a & 1]')}) return 1;",
            f"drop({place});",
            f"change({self.one('&x', '&n', 'ip', '&local.v', 'ints + 1')});",
            f"fill({self.one('&local', '&other', '&nodes[1]')}, {number});",
            f"unlink_next({self.one('&local', '&other', '&nodes[0]')});",
            *("if (p) unlink_next(p);", "clear_place();"),
            f"note_place({self.one('&r', '&s', '&local.next')});",
        )

    def statement(self, depth: int) -> list[str]:
        if not depth or self._random.random() < 0.5:
            return ["    " + self._simple()]

        def block() -> list[str]:
            return ["  " + line for _ in range(self._random.randint(1, 3)) for line in self.statement(depth - 1)]

        kind = self._random.randint(0, 3)
        if kind == 0:
            return [f"    if ({self._condition()}) {{", *block(), "    }"]
        if kind == 1:
            return [f"    if ({self._condition()}) {{", *block(), "    } else {", *block(), "    }"]
        if kind == 2:
            return [f"    for (i = 0; i < {self.one('n', '2', 'x')} && fuel-- > 0; i++) {{", *block(), "    }"]
        leave = ["    break;"] if self._random.random() < 0.5 else []
        return [f"    while (fuel-- > 0 && ({self._condition()})) {{", *block(), *leave, "    }"]


class _WithStatus(_Made):
    """One that gives a status. wild: how much of it is as in others."""

    wild = 0.4

    def _simple(self) -> str:
        if self._random.random() < self.wild:
            return self._plain()
        return self.one(
            *[f"*out = {self._pointer()};"] * 3,
            *(
                f"status = {self._number()};",
                "status = -1;",
                "status = 2;",
                "status |= 4;",
                "status |= x & 3;",
                "status++;",
            ),
            *("if (status < 0) return status;", "if (status & 4) return 1;", "if (n > status) return status;"),
            *("if (!*out) return -1;", "if (!*out) { status = -2; }", "if (*out) return status + 1;"),
            *(f"status = give(out, {self._number()});", f"if (give(out, {self._number()}) < 0) return -3;"),
            *("drop(out);", "r = *out;", "*out = r;", "s = r; if (!s) return 0;", "note_place(out);", "clear_place();"),
            *("p->next = r;", "if (!p->next) return 5;", "if (p) fill(p, status);", "unlink_next(p);", "*p = local;"),
            *(f"p->next = {self._pointer()};", "out = &r;", "out = pp;", "if (p) p = p->next;", "local.next = *out;"),
        )
