class Injector {
    @Nullable final String member;

    Injector(@Nullable String member) {
        this.member = member;
    }

    static class Handle extends Injector {
        Handle(String member) {
            super(member);
        }

        int testedOk() {
            if (this.member != null) {
                return member.length();
            }
            return 0;
        }

        int untestedBad() {
            return member.length();  // null.method
        }
    }

    class Inner {
        int testedOfOuterOk() {
            if (Injector.this.member != null) {
                return member.length();
            }
            return 0;
        }

        int untestedOfOuterBad() {
            return member.length();  // null.method
        }
    }
}
