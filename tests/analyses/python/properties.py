"""Properties that give None at times."""


class Book:
    def __init__(self):
        self.tables = []

    @property
    def table(self):
        if self.tables:
            return self.tables[-1]
        return None

    @property
    def figure(self):
        if self.tables:
            return self.tables[0]
        return None

    def rarely_used_bad(self):
        return self.figure.row  # null.attribute

    def use_one_ok(self):
        return self.table.row

    def use_two_ok(self):
        return self.table.row

    def use_three_ok(self):
        return self.table.row

    def use_four_ok(self):
        return self.table.row

    def use_five_ok(self):
        return self.table.row

    def use_six_ok(self):
        return self.table.row

    def use_seven_ok(self):
        return self.table.row

    def use_eight_ok(self):
        return self.table.row

    def use_nine_ok(self):
        return self.table.row

    def use_ten_ok(self):
        return self.table.row
