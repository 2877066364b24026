class Exceptions {
    Object run(AutoCloseable given, Object lock) throws Exception {
        try {
            given.close();
        } catch (IllegalStateException | Error e) {
            return e;
        } catch (RuntimeException e) {
            throw e;
        } finally {
            lock.notify();
        }
        try (AutoCloseable one = open(); given) {
            one.hashCode();
        }
        synchronized (lock) { assert given != null : "given"; }
        throw new Exception();
    }
}
