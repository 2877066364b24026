struct a { int v; };
struct b { int v; };
static struct a one;
static struct b two;
void run(int n)
{
    void *p = &one;
    switch (n) {
    case 1:
        p = &two;
    case 2:
        look(p);  // holds: a, b
        break;
    default:
        goto end;
    }
    return;
end:
    look(p);  // holds: a
}
