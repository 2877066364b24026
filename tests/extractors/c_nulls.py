"""Random C functions about null pointers, over the declarations of `c_runs`: in variables, structures, arrays and
memory that other functions write, with numbers that tell which of them are null."""

from __future__ import annotations

from random import Random

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
    made = _Made(random)
    body = [line for _ in range(random.randint(4, 9)) for line in made.statement(2)]
    variables = _VARIABLES % (made.one("0", "p", "q"), made.one("0", "0", "p"))
    head = f"int f{number}(int a, int b, struct node *p, struct node *q)\n{{\n{variables}"
    return "\n".join((head, *body, "    return x + y;", "}"))


class _Made:
    """A function under construction."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def one(self, *choices: str) -> str:
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
        held, place = self.one(*_HELD, "last"), self.one(*_PLACES)
        return self.one(
            *("a > 1", "b == 2", "x", "!x", "x == y", "n != 0", "n > 1", "flag", "!flag", "flag & 1", "flag & 2"),
            *(held, f"!{held}", f"{held} != 0", f"{held} == p", f"a && {held}", f"b || !{held}", f"has({held})"),
            *("ints[0] == ints[1]", "(unsigned char) x > 2"),
            f"give({place}, {self._number()}) == 0",
            f"give({place}, {self._number()}) < 0",
        )

    def _use(self) -> str:
        held = self.one(*_HELD, "other.next", "last", "hp->next")
        return self.one(f"x += {held}->v;", f"{held}->v = x;", f"y = {held}->in.lo;", f"note({held}->v);")

    def _plain(self) -> str:
        number, pointer, place = self._number(), self._pointer(), self.one(*_PLACES)
        return self.one(
            *[self._use()] * 4,
            *(f"r = {pointer};", f"s = {pointer};", f"r = {pointer};", f"s = {pointer};", f"*pp = {pointer};"),
            *(f"local.next = {pointer};", f"last = {pointer};", f"box.in2.next = {pointer};"),
            f"many[{self.one('0', '1', 'a & 1')}] = {pointer};",
            f"flag = {self.one('1', '0', 'x', 'r != 0', 'flag | 1', 'flag & ~1', 'flag | 2')};",
            *(f"n = {number};", f"x = {number};", f"*ip = {number};", "x++;", "note(x);"),
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
            return ["    " + self._plain()]

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
        return [f"    while (fuel-- > 0 && {self._condition()}) {{", *block(), *leave, "    }"]
