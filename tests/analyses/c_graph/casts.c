struct a { int v; };
struct b { struct a base; };
void run(void)
{
    struct b b;
    struct a *a = (struct a *)&b;
    look(a);  // holds: struct b
    look((void *)a);  // holds: struct b
}
