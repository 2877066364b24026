"""Random C functions, compiled by gcc and run, and, translated, run instruction by instruction: both must do the same.

What is compared is the sequence of calls of `note`, what is returned, what memory holds in the end, and whether a null
pointer is followed, which ends a run. Numbers are 32 bits wide; nothing in the functions is undefined but that.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

from c_machine import NOTHING, Machine, Null

from pliant.extractors.ir import Unit

PRELUDE = """
struct pair { volatile int lo; volatile short hi; };
struct node {
    volatile int v; struct node *volatile next; struct pair in; volatile int arr[3]; volatile unsigned char c;
    int (*show)(int);
};
extern int note(int n);
struct node nodes[3] = {
    { 1, &nodes[1], { 2, 3 }, { 4, 5, 6 }, 7 }, { .v = 2, .next = nodes + 2, .in.hi = 1, .arr = { [1] = 9 } }, 3
};
static int count = 2, grid[2][3] = { { 1 }, { 4, 5 } };
static int (*const table[])(int) = { note, 0 };
enum { ONE = 1, FIVE = ONE + 4 };
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define SET(p, x) do { if (!(p)) break; (p)->v = (x); } while (0)
static struct node *pick(struct node *p, int n) { return n > 0 ? p : p->next; }
static int bump(volatile int *at, int n) { static int calls; *at += n; return ++calls; }
static struct pair twice(struct pair one) { one.lo += one.lo; return one; }
"""
_MAIN = """
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
int note(int n) { dprintf(1, "%d ", n); return n & 3; }
static struct node *at(int n) { return n < 0 ? 0 : &nodes[n]; }
int main(int argc, char **argv)
{
    int k, a, b, p, q;
    while (scanf("%d %d %d %d %d", &k, &a, &b, &p, &q) == 5) {
        int status = 0;
        if (!fork()) {
            dprintf(1, "= %d ", all[k](a, b, at(p), at(q)));
            for (int i = 0; i < 3; i++)
                dprintf(1, "%d %d %d %d %d %d ", nodes[i].v, nodes[i].in.lo, nodes[i].in.hi, nodes[i].arr[1],
                        nodes[i].c, nodes[i].next ? (int) (nodes[i].next - nodes) : -1);
            dprintf(1, "%d\\n", count);
            _exit(0);
        }
        wait(&status);
        if (status)
            dprintf(1, "%s\\n", WIFSIGNALED(status) && WTERMSIG(status) == 11 ? "null" : "failed");
    }
    return 0;
}
"""
Given = tuple[int, int, int, int]  # a, b, and which nodes p and q are, -1 for null


def by_gcc(gcc: str, functions: list[str], runs: list[tuple[int, Given]], folder: Path) -> list[str]:
    """What each run prints."""
    source, program = folder / "all.c", folder / "all"
    table = f"int (*all[])(int, int, struct node *, struct node *) = {{ {', '.join(_names(functions))} }};"
    source.write_text("\n".join([PRELUDE, *functions, table, _MAIN]))
    command = [gcc, "-O0", "-w", "-fwrapv", "-fno-strict-aliasing", "-o", str(program), str(source)]
    subprocess.run(command, check=True, capture_output=True)
    lines = "".join(f"{k} {' '.join(map(str, given))}\n" for k, given in runs)
    done = subprocess.run([str(program)], input=lines, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def _names(functions: list[str]) -> list[str]:
    return [f"f{number}" for number in range(len(functions))]


def by_instructions(unit: Unit, name: str, given: Given) -> str:
    """What a run prints."""
    machine = Machine(unit)
    nodes = machine.globals["nodes"].elements
    pointers = [NOTHING if each < 0 else nodes[each] for each in given[2:]]
    try:
        result = machine.call(name, [*given[:2], *pointers])
    except Null:
        return " ".join([*map(str, machine.printed), "null"])
    state = []
    for node in nodes:
        following = node.fields["next"]
        inside, array = node.fields["in"].fields, node.fields["arr"].elements
        at = nodes.index(following) if following != NOTHING else -1
        state += [node.fields["v"], inside["lo"], inside["hi"], array[1], node.fields["c"], at]
    return " ".join(map(str, [*machine.printed, "=", result, *state, machine.globals["count"]]))
