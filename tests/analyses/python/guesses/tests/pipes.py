class Pipe:
    def push(self, item):
        self.item = item
