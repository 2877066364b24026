#define NO_THING NULL
#define HAS(p) ((p) != NULL)
#define VALUE(p) ((p)->v)
#define RETURN_UNLESS(p) do { if (!(p)) return 0; } while (0)
#define colon_of(s) strchr((s), ':')
struct thing { int v; };
struct log { int level; };
struct log *own_log(void);
#define LOG(l, n) do { struct log *mine = l; if (l == NULL) mine = own_log(); if (mine->level) tell_it(n); } while (0)
#define LOG_TO(l, n) do { struct log *mine = l; if (l == NULL) tell_it(0); if (mine->level) tell_it(n); } while (0)
