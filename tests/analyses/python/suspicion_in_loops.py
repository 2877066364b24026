"""An attribute that may be null, and is used in a loop: after its use it is not null, but the first round comes before."""


class Shop:
    task = None

    def start(self, make):
        self.task = make()

    def stop_bad(self, parts):
        for part in parts:
            self.task.cancel(part)  # null.attribute

    def stop_first_ok(self, make, parts):
        self.task = make()
        for part in parts:
            self.task.cancel(part)

    def stop_known_ok(self):
        if self.task is not None:
            self.task.cancel(1)
