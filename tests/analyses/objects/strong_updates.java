class Leaf {}

class Tree {
    Leaf leaf;
    Tree child;

    void take(Leaf leaf) {
        this.leaf = leaf;
    }
}

class Registry {
    static Tree last;

    static void remember(Tree tree) {
        last = tree;
    }

    static void renew(Leaf leaf) {
        last.leaf = leaf;
    }

    static void look(Tree tree) {
        System.out.println(tree.leaf);
    }
}

class StrongUpdates {
    static void inOrder() {
        Leaf x = new Leaf();
        Leaf y = new Leaf();
        Tree tree = new Tree();
        Tree same = tree;
        tree.leaf = x;
        Leaf before = same.leaf;
        same.leaf = y;
        ask(before, x);  // one
        ask(before, y);  // apart
        ask(tree.leaf, y);  // one
        ask(tree.leaf, x);  // apart
    }

    static void onOneWay(boolean now) {
        Leaf x = new Leaf();
        Leaf y = new Leaf();
        Tree tree = new Tree();
        tree.leaf = x;
        if (now) {
            tree.leaf = y;
        }
        ask(tree.leaf, x);  // one
        ask(tree.leaf, y);  // one
    }

    static void underAnotherName(boolean now) {
        Leaf x = new Leaf();
        Leaf y = new Leaf();
        Tree a = new Tree();
        Tree b = new Tree();
        a.leaf = x;
        Tree c = now ? a : b;
        c.leaf = y;
        ask(a.leaf, y);  // one
        ask(a.leaf, x);  // one
    }

    static void keptElsewhere() {
        Leaf x = new Leaf();
        Leaf y = new Leaf();
        Tree tree = new Tree();
        tree.leaf = x;
        Registry.remember(tree);
        Registry.renew(y);
        ask(tree.leaf, y);  // one
        ask(tree.leaf, x);  // one
    }

    static void onlyLookedAt() {
        Leaf x = new Leaf();
        Leaf y = new Leaf();
        Tree tree = new Tree();
        tree.leaf = x;
        tree.take(y);
        Registry.look(tree);
        ask(tree.leaf, y);  // one
        ask(tree.leaf, x);  // apart
    }

    static void putIntoAnother() {
        Leaf x = new Leaf();
        Leaf y = new Leaf();
        Tree tree = new Tree();
        Tree parent = new Tree();
        tree.leaf = x;
        parent.child = tree;
        parent.child.leaf = y;
        ask(tree.leaf, y);  // one
    }

    static void inALambda() {
        Leaf x = new Leaf();
        Leaf y = new Leaf();
        Tree tree = new Tree();
        tree.leaf = x;
        Runnable later = () -> tree.take(y);
        later.run();
        ask(tree.leaf, y);  // one
    }

    static void ask(Object a, Object b) {}
}
