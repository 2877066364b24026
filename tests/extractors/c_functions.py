"""Random C functions over the declarations of `c_runs`: nothing in them is undefined but null pointers."""

from __future__ import annotations

from random import Random


def source(random: Random, number: int) -> str:
    """A function `f<number>`."""
    made = _Made(random)
    lines = ["    again:", *made.block(3, 1, loop=False), *(f"    out{label}: x++;" for label in made.labels)]
    return "\n".join(
        [
            f"int f{number}(int a, int b, struct node *p, struct node *q)",
            "{",
            "    int x = a, y = 1, fuel = 12, many[3] = { 1, b };",
            "    volatile int *at = &x;",
            "    unsigned char c = 250;",
            "    struct node local = { 5, q }, *r = p, other;",
            "    other = local;",
            *lines,
            "    return x + y + c + local.v + other.in.lo + *at + many[1];",
            "}",
        ]
    )


class _Made:
    """A function under construction. labels: those that it jumps to."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self.labels: list[int] = []

    def _one(self, *choices: str) -> str:
        return self._random.choice(choices)

    def _number(self) -> str:
        return self._one(
            "a", "b", "x", "y", "c", "0", "1", "FIVE", "'a'", "count", "-2", "*at", "local.v", "many[b & 1]"
        )

    def _pointer(self) -> str:
        return self._one(
            "p",
            "q",
            "r",
            "p->next",
            "r->next",
            "&local",
            "(a ? p : 0)",
            "pick(p, x)",
            "&nodes[1]",
            "nodes + (b & 1)",
            "local.next",
            "((x ?: 1) ? r : q)",
        )

    def _member(self) -> str:
        base = self._one("p", "q", "r", "(&local)", "p->next", "(*r).next")
        return f"{base}->" + self._one("v", "in.lo", "in.hi", "arr[1]", "arr[y & 1]", "c", "next->v", "next->in.lo")

    def _place(self) -> str:
        return self._one("x", "y", "c", "(*at)", "count", "local.in.lo", "many[x & 1]", "other.v", self._member())

    def pure(self, depth: int = 2) -> str:
        """An expression without effects."""
        if not depth or self._random.random() < 0.3:
            return self._number() if self._random.random() < 0.7 else self._member()
        one, two = self.pure(depth - 1), self.pure(depth - 1)
        return self._one(
            f"({one} + {two})",
            f"({one} - {two})",
            f"({one} * 3)",
            f"({one} & {two})",
            f"({one} == {two})",
            f"({one} < {two})",
            f"({one} >= {two})",
            f"(!{one})",
            f"(- {one})",
            f"(~{one})",
            f"MAX({one}, {two})",
            f"(unsigned char) {one}",
            f"(short) ({one} << 3)",
            f"({one} && {two})",
            f"({one} || {two})",
            f"({one} ? {two} : y)",
            "(p == q)",
            "(r != NULL && r->next)".replace("NULL", "(void *) 0"),
            f"({self._pointer()} == {self._pointer()})",
            "grid[a & 1][y & 1]",
            "(*(grid + 1))[b & 1]",
            f"(int) (&many[{self._one('1', 'b & 1')}] - many)",
            f"(int) sizeof({self._one('int', 'c', 'struct node *')})",
        )

    def effect(self, depth: int = 2) -> str:
        """An expression with effects, one behind the other."""
        if depth and self._random.random() < 0.5:
            one, two = self.effect(depth - 1), self.effect(depth - 1)
            return self._one(
                f"({one} && {two})",
                f"({one} || {two})",
                f"({one}, {two})",
                f"({self.pure(1)} ? {one} : {two})",
                f"({one} ?: {two})",
                f"({{ int inner = {one}; inner > 1 ? {two} : inner; }})",
            )
        place = self._place()
        variable = self._one("x", "y", "local.v", "many[1]", "count", "p->v", "r->in.lo", "p->arr[2]")
        return self._one(
            f"note({self.pure(1)})",
            f"table[0]({self.pure(1)})",
            f"(*note)({self.pure(1)})",
            f"({place} = {self.pure()})",
            f"({place} += {self.pure(1)})",
            f"({place} -= {self.pure(1)})",
            f"{place}++",
            f"--{place}",
            f"bump(&{variable}, {self.pure(1)})",
            f"twice({self._one('local.in', 'p->in', '(struct pair) { x, 2 }', '(struct pair) { .hi = 1 }')}).lo",
            f"table[{self._one('0', 'x & 1')}](y)",
            f"{self._one('p', 'r')}->show({self.pure(1)})",
            f"bump(&(int) {{ {self.pure(1)} }}, 2)",
            f"(grid[x & 1][1] += {self.pure(1)})",
        )

    def block(self, depth: int, indent: int, *, loop: bool) -> list[str]:
        lines: list[str] = []
        for _ in range(self._random.randint(1, 3)):
            lines += self._statement(depth, indent, loop=loop)
        return lines

    def _plain(self, *, loop: bool) -> str:
        label = self._random.randint(0, 2)
        if self._random.random() < 0.06:
            if label not in self.labels:
                self.labels.append(label)
            return f"if ({self.pure()}) goto out{label};"
        return self._one(
            f"{self.effect()};",
            f"{self.effect()};",
            f"r = {self._pointer()};",
            f"p = {self._pointer()};",
            f"at = {self._one('&x', '&y', 'many', '&many[1]', '&r->v', 'r->arr', '&p->in.lo', '&local.arr[1]')};",
            "*at++ += 2; at = &x;",
            f"SET({self._one('p', 'r', 'q')}, {self.pure()});",
            f"local = {self._one('*r', '*p', 'other', 'nodes[1]', '(struct node) { .v = 3 }')};",
            f"{self._one('*r', 'other', 'nodes[a & 1]')} = local;",
            f"{self._one('local.in', 'r->in')} = {self._one('p->in', 'twice(other.in)', '(struct pair) { 1, x }')};",
            f"r->next = {self._one('0', 'q', '&nodes[2]')};",
            f"{self._one('p', 'q', 'r')}->show = {self._one('note', '&note', 'table[a & 1]', '0')};",
            f"return {self.pure()};",
            "if (fuel-- > 0) goto again;",
            *(["break;", "continue;"] if loop else []),
        )

    def _statement(self, depth: int, indent: int, *, loop: bool) -> list[str]:
        margin = "    " * indent
        if not depth or self._random.random() < 0.45:
            return [margin + self._plain(loop=loop)]

        def block(inside: bool = loop) -> list[str]:
            return self.block(depth - 1, indent + 1, loop=inside)

        kind, close = self._random.randint(0, 6), margin + "}"
        asked = self.pure() if self._random.random() < 0.5 else self.effect()
        if kind == 0:
            return [f"{margin}if ({asked}) {{", *block(), f"{margin}}} else if ({self.pure()}) {{", *block(), close]
        if kind == 1:
            return [f"{margin}if ({asked})", f"{margin}    {self.effect()};", f"{margin}else {{", *block(), close]
        if kind == 2:
            return [f"{margin}while (fuel-- > 0 && {asked}) {{", *block(True), close]
        if kind == 3:
            step = self._one("i++", "x++, i++", "i += 1, note(i)")
            return [f"{margin}for (int i = 0; i < 3 && fuel-- > 0; {step}) {{", *block(True), close]
        if kind == 4:
            return [f"{margin}do {{", *block(True), f"{margin}}} while (fuel-- > 0 && {asked});"]
        lines = [f"{margin}switch ({self._one('x & 3', 'a', 'y', asked)}) {{"]
        labels = [
            "case 0:",
            "case ONE:",
            "case 2: case FIVE:",
            "case 6 ... 9:",
            "default:",
            "case -1: if (b) b--; else",
        ]
        self._random.shuffle(labels)
        for label in labels[: self._random.randint(1, 5)]:
            lines += [margin + label, *block()]
            lines += [f"{margin}    break;"] if self._random.random() < 0.6 else []
        return [*lines, close]
