typedef int (*operation)(int);
static int twice(int n) { return 2 * n; }
static int half(int n) { return n / 2; }
static operation choose(int n)
{
    return n ? twice : half;
}
int run(int n)
{
    return choose(n)(3);  // calls: choose, half, twice
}
