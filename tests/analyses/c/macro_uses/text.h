#include <string.h>
#define LENGTH(s) strlen((char *)(s))
#define LENGTH_OF_TWO(a, b) (LENGTH(a) + LENGTH(b))
#define LENGTH_OR_0(s) ((s) ? LENGTH(s) : 0)
#define type_of(x) ((x)->type)
struct x { int type; };
