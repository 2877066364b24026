static int a(int n) { return n; }
static int b(int n) { return n; }
int run(int n)
{
    int (*f)(int) = n ? a : b;
    int (*g)(int) = &a;
    f(1);  // calls: a, b
    (*f)(1);  // calls: a, b
    g(1);  // calls: a
    return (**g)(2);  // calls: a
}
