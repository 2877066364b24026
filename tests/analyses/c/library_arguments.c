#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t strlen_bad(void)
{
    return strlen(NULL);  // null.argument
}

void memcpy_bad(char *to, size_t n)
{
    memcpy(to, getenv("X"), n);  // null.argument
}

void printf_bad(void)
{
    printf("%d %s\n", 1, getenv("X"));  // null.argument
}

void printf_number_ok(void)
{
    char *p = getenv("X");
    printf("%p\n", (void *)p);
}

void printf_width_bad(int w)
{
    printf("%*d%%%s\n", w, 1, getenv("X"));  // null.argument
}

void tested_ok(void)
{
    const char *p = getenv("X");
    if (p)
        puts(p);
}

int used_before_ok(void)
{
    const char *p = getenv("X");
    if (!p)
        return 0;
    return strlen(p) + p[0];
}

void setbuf_null_ok(FILE *f)
{
    setvbuf(f, NULL, _IONBF, 0);
    fflush(NULL);
    free(NULL);
}

int atoi_bad(void)
{
    return atoi(getenv("N"));  // null.argument
}
