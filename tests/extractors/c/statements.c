enum kind { FIRST, SECOND = 5, THIRD, LAST = OTHER_FILE };
static int global = 3;

int loops(char **names, int n)
{
    int i, count = 0;
    for (i = 0; i < n; i++) {
        if (!names[i])
            continue;
        else if (names[i][0] == '#')
            break;
        while (*names[i]++)
            count++;
    }
    for (;;) {
        if (count-- < 0)
            goto done;
    }
    do
        count += global;
    while (count < 10);
done:
    return count;
}

int switches(enum kind kind, int n)
{
    switch (kind) {
        n = 3;
    case FIRST:
        n++;
    case SECOND:
    case 7 ... 9:
        break;
    case LAST:
        return n;
    default:
        switch (n) {
        case 'a':
            do {
        case 2:
                n--;
            } while (n > 0);
        }
        return 1;
    }
    return 0;
}

int jumps(int n)
{
    static void *labels[] = { &&one, &&two };
    static int calls, many[2] = { 1 };
    if (n < 0)
        goto *labels[-n];
again:
    if (n-- > 0)
        goto again;
one:
    calls++;
    {
        int n = 4;
        many[0] = n;
    }
two:
    return many[n];
}

int old_style(a, b)
    int a;
    char *b;
{
    return b[a];
}

void directives(struct s *p)
{
    _Static_assert(sizeof(int) == 4, "int");
#ifdef WINDOWS
    close_handle(p);
#elif defined(OTHER)
    return;
#else
    close(p->fd);
#endif
#if 0
    never(p);
#endif
}

#define TRACED 0
#define LEVEL 2
#define CHANGED 0
#undef CHANGED
#ifdef OTHER
#define SOMETIMES 0
#endif

void decided(struct port *p)
{
#if TRACED
    never(p);
#endif
#if TRACED
    never(p);
#elif LEVEL
    always(p);
#else
    never(p);
#endif
#if CHANGED
    perhaps(p);
#endif
#if SOMETIMES
    perhaps(p);
#endif
#if LATER
    perhaps(p);
#endif
#define WITHIN 1
#if WITHIN
    perhaps(p);
#endif
}

#define LATER 0
