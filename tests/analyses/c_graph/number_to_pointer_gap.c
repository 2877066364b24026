struct a { int v; };
static struct a one;
void run(void)
{
    unsigned long n = (unsigned long)&one;
    look((struct a *)n);  // holds: none
}
