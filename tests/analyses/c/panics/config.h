#include <stdlib.h>
#ifdef HAVE_UNREACHABLE
#define never __builtin_unreachable
#else
#define never abort
#endif
