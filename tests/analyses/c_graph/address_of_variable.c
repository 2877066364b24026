struct s { int v; };
void run(void)
{
    struct s x;
    struct s *p = &x;
    look(p);  // holds: struct s
    look(&x);  // holds: struct s
}
