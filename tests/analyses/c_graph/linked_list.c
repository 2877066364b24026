struct node { struct node *next; void (*visit)(void); };
static void hello(void) {}
static struct node *head;
void add(void)
{
    struct node *n = malloc(sizeof *n);
    n->visit = hello;
    n->next = head;
    head = n;
}
void all(void)
{
    for (struct node *n = head; n; n = n->next)
        n->visit();  // calls: hello
}
