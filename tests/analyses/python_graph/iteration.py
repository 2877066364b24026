"""Loops call `__iter__` of what they go over and `__next__` of what that gives."""


class Numbers:
    def __iter__(self):
        return Iterator()  # calls: Iterator.__init__


class Iterator:
    def __init__(self):
        self.number = 0

    def __next__(self):
        self.number += 1
        return shown


def shown():
    pass


def over(numbers):
    for number in numbers:  # calls: Numbers.__iter__, Iterator.__next__
        number()  # calls: shown


over(Numbers())  # calls: over
for number in [shown]:
    number()  # calls: shown
squares = [number() for number in Numbers()]  # calls: Numbers.__iter__, Iterator.__next__, shown
