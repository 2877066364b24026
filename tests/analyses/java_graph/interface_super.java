interface Greeter { default String greet() { return "hello"; } }
class Loud implements Greeter {
    public String greet() {
        return Greeter.super.greet();  // calls: Greeter.greet
    }
}
