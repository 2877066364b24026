struct node { struct node *next; };
static void *xmalloc(size_t n)
{
    void *p = malloc(n);
    return p;
}
void run(void)
{
    struct node *n = xmalloc(sizeof *n);  // calls: xmalloc
    look(n);  // holds: node
}
