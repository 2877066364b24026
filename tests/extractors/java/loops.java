class Loops {
    int run(java.util.List<String> names, int[] numbers) {
        int sum = 0;
        for (int i = 0, j = 9; i < j; i++, j--) sum += i;
        for (String name : names) { if (name == null) continue; sum++; }
        for (var number : numbers) sum += number;
        outer:
        while (sum > 0) {
            do { if (sum == 5) break outer; if (sum == 6) continue outer; } while (sum-- > 3);
        }
        block: { if (sum == 0) break block; sum = 1; }
        for (;;) { return sum; }
    }
}
