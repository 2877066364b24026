#include <stdlib.h>
char *lib_text_new(int size) { char *text = malloc(size); if (!text) return NULL; return text; }
char *lib_text_first(char *text) { return text[0] ? text : NULL; }
