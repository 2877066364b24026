#include <stdarg.h>
#include <stddef.h>

static int first_length(int n, ...)
{
    va_list ap;
    va_start(ap, n);
    const char *s = va_arg(ap, const char *);
    va_end(ap);
    return s[0];
}

int passed_ok(void)
{
    return first_length(1, "x");
}

int fn_passed_null(void)
{
    return first_length(1, NULL);  // missed: null.subscript
}

static int formatted_bad(const char *format, ...)
{
    return format[0];  // null.subscript
}

int named_parameter(void)
{
    return formatted_bad(NULL, 1, 2);
}
