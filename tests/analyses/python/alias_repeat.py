"""Repetition of a list that holds a container."""


def item_bad(rows):
    grid = [[0] * 3] * rows
    grid[0][1] = 1  # alias.repeated-element


def append_bad(rows):
    grid = [[]] * rows
    grid[0].append(1)  # alias.repeated-element


def iterated_bad(rows):
    grid = [[]] * rows
    for row in grid:
        row.append(1)  # alias.repeated-element


def dictionaries_bad(rows):
    grid = [{}] * rows
    grid[0]["a"] = 1  # alias.repeated-element


def number_first_bad(rows):
    grid = rows * [[]]
    grid[0].append(1)  # alias.repeated-element


def comprehension_inside_bad(rows):
    grid = [[0 for _ in range(3)]] * rows
    grid[1][0] = 1  # alias.repeated-element


def named_element_bad(rows):
    row = []
    grid = [row] * rows
    grid[0].append(1)  # alias.repeated-element


def comprehension_ok(rows):
    grid = [[0] * 3 for _ in range(rows)]
    grid[0][1] = 1


def numbers_ok(count):
    numbers = [0] * count
    numbers[0] = 1


def rows_replaced_ok(rows):
    grid = [[]] * rows
    grid[0] = [1]


def only_read_ok(rows):
    grid = [[0] * 3] * rows
    return [row[0] for row in grid]


def tuples_ok(rows):
    grid = [(0, 0)] * rows
    grid[0] = (1, 1)
    return grid


def strings_ok(count):
    return ["a"] * count, "ab" * count


class Grid:
    def __init__(self, rows):
        self.rows = [[]] * rows

    def put_bad(self, item):
        self.rows[0].append(item)  # alias.repeated-element
