struct a { int v; };
struct b { struct a base; };
void run(void)
{
    struct b b;
    struct a *a = (struct a *)&b;
    look(a);  // holds: b
    look((void *)a);  // holds: b
}
