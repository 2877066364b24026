abstract class Task {
    Task(String name) {}
    abstract void run();
}
class Main {
    void work() {}
    void main() {
        Task task = new Task("one") {  // calls: Main.main.new Task.<init>, Task.Task
            void run() {
                work();  // calls: Main.work
            }
        };
        task.run();  // calls: Main.main.new Task.run
    }
}
