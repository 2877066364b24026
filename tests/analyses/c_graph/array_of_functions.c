static void add(void) {}
static void take(void) {}
static void (*const commands[])(void) = { add, take };
void run(int n)
{
    commands[n]();  // calls: add, take
}
