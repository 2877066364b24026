static void one(void) {}
void two(void)
{
    one();  // calls: one
}
void three(void)
{
    two();  // calls: two
    unknown();  // calls: none
}
