#include <stdlib.h>
static char room[16];
char *text_new(int size)
{
    return room;
}
