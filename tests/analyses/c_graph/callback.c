static void shown(int n) {}
static void hidden(int n) {}
static void each(int n, void (*visit)(int))
{
    visit(n);  // calls: shown
}
void run(void)
{
    each(3, shown);  // calls: each
    (void)hidden;
}
