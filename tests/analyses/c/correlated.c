// Variables that go together: a test of one says what the other is.
#include <stddef.h>
struct s { int v; void *handle; };
extern struct s *find(int key);

int set_together_ok(int key)
{
    struct s *p = NULL;
    struct s *found = NULL;
    if (key) {
        p = find(key);
        if (p)
            found = p;
    }
    if (found != NULL)
        return p->v;
    return 0;
}

int handle_of_ok(struct s *stream)
{
    void *handle = NULL;
    if (stream != NULL)
        handle = stream->handle;
    if (handle != NULL)
        return stream->v;
    return 0;
}

int handle_of_bad(struct s *stream)
{
    void *handle = NULL;
    if (stream != NULL)
        handle = stream->handle;
    if (handle == NULL)
        return stream->v;  // null.member
    return 0;
}

int other_branch_bad(int key)
{
    struct s *p = NULL;
    struct s *q = NULL;
    if (key)
        p = find(1);
    else
        q = find(2);
    if (q)
        return p->v;  // null.member
    return 0;
}

int both_or_none_ok(int key)
{
    struct s *p, *q;
    if (key > 3) {
        p = NULL;
        q = NULL;
    } else {
        static struct s one, two;
        p = &one;
        q = &two;
    }
    if (p == NULL)
        return 0;
    return q->v;
}

int status_with_pointer_ok(int key)
{
    int status = 0;
    struct s *p = find(key);
    if (p == NULL)
        status = -1;
    if (status == 0)
        return p->v;
    return status;
}

int status_left_ok(int key)
{
    int status = 0;
    struct s *p = find(key);
    if (p == NULL)
        status = 2;
    if (status)
        return status;
    return p->v;
}

int other_status_bad(int key)
{
    int status = 0;
    struct s *p = find(key);
    if (p == NULL)
        status = 1;
    if (status != 2)
        return p->v;  // null.member
    return status;
}

extern int run(void);

int status_of_a_call_bad(int key)
{
    int status = 0;
    struct s *p = NULL;
    if (key) {
        static struct s one;
        status = run();
        p = &one;
    }
    if (status == 0)
        return p->v;  // null.member
    return status;
}

int counted_bad(int key)
{
    int count = 1;
    struct s *p = NULL;
    if (key) {
        static struct s one;
        p = &one;
    } else
        count--;
    if (count == 0)
        return p->v;  // null.member
    return 0;
}

int known_number_bad(void)
{
    struct s *p = NULL;
    int count = 3;
    if (count > 2)
        return p->v;  // null.member
    return 0;
}

int number_of_a_loop_bad(int n)
{
    struct s *p = NULL;
    int count = 0;
    while (n--)
        count++;
    if (count > 2)
        return p->v;  // null.member
    return 0;
}

int number_through_a_pointer_bad(void (*set)(int *))
{
    struct s *p = NULL;
    int count = 0;
    set(&count);
    if (count)
        return p->v;  // null.member
    return 0;
}

int number_of_a_static_bad(void)
{
    static int count = 0;
    struct s *p = NULL;
    if (count++)
        return p->v;  // null.member
    count = 0;
    run();
    if (count)
        return p->v;  // null.member
    return 0;
}

int number_after_a_label_bad(int n)
{
    struct s *p = NULL;
    int again = 0;
retry:
    if (again)
        return p->v;  // null.member
    if (n) {
        again = 1;
        goto retry;
    }
    return 0;
}

int both_or_none_ok(int key)
{
    struct s *p = key > 1 ? find(key) : NULL;
    struct s *q = key > 2 ? find(key) : NULL;
    if (!p != !q)
        return 0;
    return p ? q->v : 0;
}

int both_or_none_turned_round_bad(int key)
{
    struct s *p = key > 1 ? find(key) : NULL;
    struct s *q = key > 2 ? find(key) : NULL;
    if ((p == NULL) == (q == NULL))
        return 0;
    return p ? q->v : 0;  // null.member
}
