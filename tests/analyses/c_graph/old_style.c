static int plain(a, b)
    int a;
    char *b;
{
    return a;
}
int run()
{
    return plain(1, "x");  // calls: plain
}
