#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

char getenv_bad(void)
{
    return getenv("HOME")[0];  // null.subscript
}

char getenv_ok(void)
{
    const char *p = getenv("HOME");
    return p ? p[0] : 0;
}

size_t strrchr_bad(const char *s)
{
    return strlen(strrchr(s, '/'));  // null.argument
}

int strtok_bad(char *s)
{
    char *first = strtok(s, " ");
    return first[0];  // null.subscript
}

int getpwnam_bad(const char *user)
{
    struct passwd *pw = getpwnam(user);
    return pw->pw_uid;  // null.member
}

int fopen_bad(const char *path)
{
    FILE *f = fopen(path, "r");
    int c = fgetc(f);  // null.argument
    fclose(f);
    return c;
}

int fopen_ok(const char *path)
{
    FILE *f;
    if (!(f = fopen(path, "r")))
        return -1;
    int c = fgetc(f);
    fclose(f);
    return c;
}

int localtime_bad(time_t t)
{
    return localtime(&t)->tm_year;  // null.member
}

int bsearch_bad(int *key, int *table, size_t n, int (*order)(const void *, const void *))
{
    int *p = bsearch(key, table, n, sizeof *table, order);
    return *p;  // null.pointer
}

int fgets_bad(FILE *f)
{
    char line[80];
    char *p = fgets(line, sizeof line, f);
    return *p;  // null.pointer
}

char *strcpy_ok(char *to, const char *from)
{
    char *p = strcpy(to, from);
    *p = 'x';
    return p;
}

int windows_bad(const wchar_t *name)
{
    FILE *file = _wfopen(name, L"r");
    return fgetc(file);  // null.argument
}
