/* A structure whose type another file has, with structures in it, is written in place. */
#include <stdlib.h>
#include "packets.h"

struct request {
    struct packet *packet;
    int size;
};

static struct request *make(int fails)
{
    struct request *made = malloc(sizeof(struct request));
    if (!made)
        exit(1);
    made->packet->socket = (socket_t){.type = 1, .inet = {.source = {.family = 2}, .port = 3}};
    if (fails)
        return NULL;
    return made;
}

int used_bad(int fails)
{
    struct request *made = make(fails);
    return made->size; // null.member
}

int used_ok(void)
{
    struct request *made = make(0);
    return made->size;
}
