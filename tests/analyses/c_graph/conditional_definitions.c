#ifdef WIDE
static int width(void) { return 2; }
#else
static int width(void) { return 1; }
#endif
int run(void)
{
    return width();  // calls: width
}
