struct node { struct node *next; };
struct other { int v; };
void run(void)
{
    struct node *n = malloc(sizeof *n);
    look(n);  // holds: struct node
    struct other *o = (struct other *)calloc(1, sizeof(struct other));
    look(o);  // holds: struct other
    void *untyped = malloc(3);
    look(untyped);  // holds: heap
}
