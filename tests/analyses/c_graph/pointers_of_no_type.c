struct node { struct node *next; };
struct other { int v; };
struct entry { void *util; char *text; };
static struct other shared;
static void *allocate(unsigned long n)
{
    return malloc(n);
}
static void visit(void *data)
{
    look(data);  // holds: node, other
    struct node *n = data;
    look(n);  // holds: node
    look((struct other *)data);  // holds: other
}
void run(struct entry *unused)
{
    struct node *n = allocate(sizeof *n);  // calls: allocate
    struct other *o = allocate(sizeof *o);  // calls: allocate
    char *text = allocate(10);  // calls: allocate
    look(n);  // holds: node
    look(o);  // holds: other
    look(text);  // holds: none
    look(allocate(3));  // holds: heap // calls: allocate
    visit(n);  // calls: visit
    visit(&shared);  // calls: visit
    struct entry e;
    e.util = n;
    keep(&e);
    struct other *wrong = e.util;
    struct node *right = e.util;
    look(right);  // holds: node
    struct node **list = allocate(sizeof(*list) * 4);  // calls: allocate
    look(list);  // holds: node *
    *list = n;
    keep(list);
    look(*list);  // holds: node
}
