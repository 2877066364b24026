enum Level {
    LOW,  // calls: Level.Level
    HIGH(3) {  // calls: Level.HIGH.<init>, Level.Level
        String label() { return "high"; }
    };
    Level() {}
    Level(int n) {}
    String label() { return "low"; }
    static void look(Object o) {}
    static void main(Level any) {
        any.label();  // calls: Level.label, Level.HIGH.label
        look(Level.LOW);  // holds: Level
        for (Level level : Level.values()) {  // calls: Level.values
            look(level);  // holds: Level, Level.HIGH
        }
        look(Level.valueOf("LOW"));  // calls: Level.valueOf  // holds: Level
    }
}
