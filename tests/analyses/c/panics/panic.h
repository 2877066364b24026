#include "config.h"
void tell_panic(const char *file, int line, const char *text, ...);
void tell(const char *text, ...);
#define panic(...) tell_panic(__FILE__, __LINE__, __VA_ARGS__), never()
#define complain(...) tell(__VA_ARGS__), tell("")
#define assert_with(client, object, e) ((e) ? (void)0 : (tell_panic(client, 0, #e, object), never()))
