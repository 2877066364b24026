struct s { int v; };
void run(void)
{
    struct s x;
    struct s *p = &x;
    look(p);  // holds: s
    look(&x);  // holds: s
}
