"""A field that a class in another file sets."""


class Printer:
    def __init__(self):
        self.job = None

    def start(self, job):
        self.job = job

    def size_bad(self):
        return self.job.size  # null.attribute

    def size_ok(self):
        return self.job.size if self.job is not None else 0
