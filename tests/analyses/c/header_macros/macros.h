#define NO_THING NULL
#define HAS(p) ((p) != NULL)
#define VALUE(p) ((p)->v)
#define RETURN_UNLESS(p) do { if (!(p)) return 0; } while (0)
#define colon_of(s) strchr((s), ':')
struct thing { int v; };
