#include <stdlib.h>
void tell(void);
void check(int ok);
void check_not(int wrong);
#define CHECK(x) do { if (!(x)) abort(); } while (0)
#define BUG_ON(x) do { if (x) abort(); } while (0)
#define RETURN_IF(x, result) do { if (x) return result; } while (0)
#define VERIFY(x) ((x) ? (void)0 : abort())
#define TELL_IF(x) do { if (x) tell(); } while (0)
