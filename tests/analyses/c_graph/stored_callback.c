struct timer { void (*fire)(void *); void *data; };
static void ring(void *data) {}
static void set(struct timer *t, void (*f)(void *))
{
    t->fire = f;
}
void run(struct timer *unused)
{
    struct timer t;
    set(&t, ring);  // calls: set
    t.fire(t.data);  // calls: ring
}
