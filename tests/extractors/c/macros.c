#define LIMIT 10
#define NAME "name"
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define FIELD(p, f) ((p)->f)
#define EACH(p) for (; p; p = p->next)
#define SET(p, x) do { if (!(p)) return -1; (p)->v = (x); } while (0)
#define release free
#define NOTHING
#define likely(x) __builtin_expect(!!(x), 1)
#define MINE(x) MAX(x, MINE(x))
#ifdef BIG
#define SIZE 100
#else
#define SIZE 10
#endif

struct s { int v; struct s *next; };

#define close(fd) (close(fd), closed++)

static int closed;

void close_both(int one, int other)
{
    close(one);
    close(other);
}

int PRIV(made)(struct s *p) { return p->v; }

int use(struct s *p, int n)
{
    int m = MAX(n, LIMIT), size = SIZE;
    SET(p, m);
    FIELD(p, v) = n NOTHING;
    if (likely(FIELD(p, next) != NULL) && MAX(p, 0))
        release(p->next);
    assert(p->next);
    assert_not_null(p, n);
    print(NAME, MINE(1));
    EACH(p)
        n++;
    list_for_each(p, n) {
        n += p->v;
    }
    return PRIV(made)(p) + EOF;
}

#define WORD int
#define list_copy(to, from) memcpy(&(to), &(from), sizeof(to))

struct list { WORD length; };

void of_another_file(struct list *l)
{
	struct list a = LIST_INIT;
	list_copy(*l, a);
}
