// Included by what uses the library alone.
#define text_new lib_text_new
#define text_first lib_text_first
#define malloc lib_malloc
char *lib_text_new(int size);
char *lib_text_first(char *text);
void *lib_malloc(unsigned long size);
