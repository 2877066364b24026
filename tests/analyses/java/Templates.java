class Templates {
    static class Local<V> {
        private Object kept;

        protected V initialValue() {
            return null;
        }

        @SuppressWarnings("unchecked")
        public final V get() {
            Object v = kept;
            if (v != null) {
                return (V) v;
            }
            return initialize();
        }

        private V initialize() {
            V v = initialValue();
            kept = v;
            return v;
        }
    }

    private static final Local<StringBuilder> NONE = new Local<StringBuilder>() {
        @Override
        protected StringBuilder initialValue() {
            return null;
        }
    };

    private static final Local<StringBuilder> SOME = new Local<StringBuilder>() {
        @Override
        protected StringBuilder initialValue() {
            return new StringBuilder();
        }
    };

    private static final Local<StringBuilder> BASE = new Local<StringBuilder>() {
        @Override
        protected StringBuilder initialValue() {
            return super.initialValue();
        }
    };

    private static final Local<StringBuilder> OTHER = new Local<StringBuilder>() {
        @Override
        protected StringBuilder initialValue() {
            return NONE.get();
        }
    };

    static class Made extends Local<StringBuilder> {
        @Override
        protected StringBuilder initialValue() {
            return new StringBuilder();
        }

        int ownOk() {
            return get().length();
        }
    }

    static class Unmade extends Local<StringBuilder> {
        int ownBad() {
            return get().length();  // null.method
        }
    }

    int noneBad() {
        return NONE.get().length();  // null.method
    }

    int someOk() {
        return SOME.get().length();
    }

    int baseBad() {
        return BASE.get().length();  // null.method
    }

    int otherBad() {
        return OTHER.get().length();  // null.method
    }

    int madeOk() {
        return new Made().get().length();
    }

    int declaredOk(Made made) {
        return made.get().length();
    }

    int declaredBad(Local<StringBuilder> local) {
        return local.get().length();  // null.method
    }
}
