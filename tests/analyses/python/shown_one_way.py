class Part:
    def run(self):
        pass


def find(number):
    return None if number > 3 else Part()


class Machine:
    """What a test shows of a variable on one way is not shown of the attribute that holds it on the other."""

    def one_way_bad(self, number):
        found = find(number)
        self.part = found
        if found is not None:
            print(found)
        self.part.run()  # null.attribute

    def every_way_ok(self, number):
        found = find(number)
        self.part = found
        if found is None:
            if number == 5:
                return
            raise ValueError
        if number == 4:
            print(found)
        self.part.run()
