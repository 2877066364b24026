#ifndef CODES_H
#define CODES_H

#define E_BUSY (-2)

enum code {
    E_OK = 0,
    E_MISSING = -3,
    E_PASSTHROUGH = 30,
};

int find(const char *name, char **out);
int wait_for(const char *name, char **out);
int hand_out(const char *name, char **out);

#endif
