char *text_new(int size);
char *text_first(char *text);

int own_function_ok(void)
{
    return text_new(3)[0];
}

int renamed_function_bad(char *text)
{
    return text_first(text)[0];  // null.subscript
}
