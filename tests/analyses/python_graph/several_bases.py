"""Of several bases, the one that comes first in the order of lookup has a name."""


class Base:
    def name(self):
        pass

    def only_here(self):
        pass


class Left(Base):
    pass


class Right(Base):
    def name(self):
        pass

    def size(self):
        pass


class Both(Left, Right):
    pass


class Other:
    def size(self):
        pass


class Mixed(Other, Right):
    pass


both = Both()
both.name()  # calls: Right.name
both.only_here()  # calls: Base.only_here
Mixed().size()  # calls: Other.size
Mixed().name()  # calls: Right.name
