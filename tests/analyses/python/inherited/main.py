"""A field that nothing in this file sets, in loops."""

from base import Printer


class Serial(Printer):
    def truth_in_loop_ok(self, files):
        for file in files:
            if self.job and self.job.path == file.path:
                file.size = self.job.size

    def test_in_loop_ok(self, files):
        while files:
            file = files.pop()
            if self.job is not None:
                file.size = self.job.size

    def other_in_loop_bad(self, files):
        for file in files:
            if file.job is not None:
                file.size = self.job.size  # null.attribute
