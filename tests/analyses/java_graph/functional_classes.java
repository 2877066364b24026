interface Task { void run(); }
interface Listener {
    void done();
    void failed();
}
class Work implements Task {
    public void run() {}
}
class Main {
    static Object any;
    static void keep(Object o) {
        any = o;
    }
    static void look(Object o) {}
    void target() {}
    void main() {
        keep(() -> target());  // calls: Main.keep, Main.target
        Task task = (Task) get();  // calls: Main.get
        task.run();  // calls: Main.main.<lambda>, Task.run, Work.run
        Work work = (Work) get();  // calls: Main.get
        work.run();  // calls: Work.run
        Listener listener = (Listener) get();  // calls: Main.get
        listener.done();  // calls: Listener.done
    }
    static Object get() {
        return any;
    }
}
