#define PRIV(name) _own_##name

extern char *PRIV(search)(const char *text);
extern char *PRIV(copy)(const char *text);
extern const char PRIV(table)[];
