struct node { struct node *next; };
struct other { int v; };
void run(void)
{
    struct node *n = malloc(sizeof *n);
    look(n);  // holds: node
    struct other *o = (struct other *)calloc(1, sizeof(struct other));
    look(o);  // holds: other
    void *untyped = malloc(3);
    look(untyped);  // holds: heap
}
