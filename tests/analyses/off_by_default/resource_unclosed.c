#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

struct log {
    FILE *file;
};

void consume(FILE *file);
void die(const char *text);

// Ways out on which nothing closes.

int early_return_bad(const char *path, char *line)
{
    FILE *file = fopen(path, "r");
    if (!file)
        return -1;
    if (!fgets(line, 10, file))
        return -1; // resource.unclosed
    (void)fclose(file);
    return 0;
}

void never_closed_bad(const char *path)
{
    FILE *file;
    if ((file = fopen(path, "w")) == NULL)
        return;
    (void)fprintf(file, "x");
} // resource.unclosed

int second_fails_bad(const char *a, const char *b)
{
    FILE *from = fopen(a, "r");
    FILE *to;
    if (from == NULL)
        return -1;
    to = fopen(b, "w");
    if (to == NULL)
        return -1; // resource.unclosed
    (void)putc(getc(from), to);
    (void)fclose(to);
    (void)fclose(from);
    return 0;
}

int goto_past_the_close_bad(const char *path)
{
    DIR *folder = opendir(path);
    int result = -1;
    if (!folder)
        goto out;
    if (!readdir(folder))
        goto out;
    closedir(folder);
    result = 0;
out:
    return result; // resource.unclosed
}

static FILE *open_or_die(const char *path)
{
    FILE *file = fopen(path, "r");
    if (!file)
        exit(1);
    return file;
}

int own_function_bad(const char *path)
{
    FILE *file = open_or_die(path);
    return getc(file); // resource.unclosed
}

int in_loop_bad(char **paths, int n)
{
    for (int i = 0; i < n; i++) {
        FILE *file = fopen(paths[i], "r");
        if (!file)
            continue;
        if (getc(file) == EOF)
            continue;
        (void)fclose(file);
    }
    return n; // resource.unclosed
}

// What closes.

int closed_at_the_end_ok(const char *path, char *line)
{
    FILE *file = NULL;
    int result = -1;
    file = fopen(path, "r");
    if (!file)
        goto out;
    if (!fgets(line, 10, file))
        goto out;
    result = 0;
out:
    if (file)
        (void)fclose(file);
    return result;
}

int closed_where_opened_ok(const char *path)
{
    FILE *file = stdin;
    int opened = 0, first;
    if (path) {
        file = fopen(path, "r");
        if (!file)
            return -1;
        opened = 1;
    }
    first = getc(file);
    if (opened)
        (void)fclose(file);
    return first;
}

int not_the_standard_input_ok(const char *path)
{
    FILE *file = path ? fopen(path, "r") : stdin;
    int first;
    if (!file)
        return -1;
    first = getc(file);
    if (file != stdin)
        (void)fclose(file);
    return first;
}

int loop_ok(char **paths, int n)
{
    for (int i = 0; i < n; i++) {
        FILE *file = fopen(paths[i], "r");
        if (!file)
            continue;
        while (getc(file) != EOF)
            ;
        (void)fclose(file);
    }
    return n;
}

int result_of_close_ok(const char *path)
{
    FILE *file = popen(path, "r");
    if (file == NULL)
        return -1;
    (void)getc(file);
    return pclose(file);
}

void program_ends_ok(const char *path)
{
    FILE *file = fopen(path, "r");
    if (!file)
        return;
    if (getc(file) == EOF)
        exit(1);
    (void)fclose(file);
}

// Who else may close it.

FILE *returned_ok(const char *path)
{
    FILE *file = fopen(path, "r");
    if (file)
        (void)setvbuf(file, NULL, _IONBF, 0);
    return file;
}

int stored_ok(struct log *log, const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return -1;
    log->file = file;
    return 0;
}

static FILE *output;

void shared_ok(const char *path)
{
    output = fopen(path, "w");
    if (output)
        (void)fputs("x", output);
}

void passed_on_ok(const char *path)
{
    FILE *file = fopen(path, "r");
    if (file)
        consume(file);
}

void through_pointer_ok(FILE **result, const char *path)
{
    FILE *file = fopen(path, "r");
    *result = file;
}
