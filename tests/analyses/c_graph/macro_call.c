#define CALL(f, x) ((f)(x))
#define APPLY(p) (p)->go((p))
struct s { void (*go)(struct s *); };
static void target(struct s *s) {}
static void other(int n) {}
void run(int n)
{
    struct s s = { target };
    APPLY(&s);  // calls: target
    CALL(other, n);  // calls: other
}
