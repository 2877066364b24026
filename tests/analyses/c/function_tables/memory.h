struct memory {
    void *(*take)(unsigned long n);
    void (*give)(void *p);
    char *(*name)(void);
};
extern struct memory memory;
#define take_some(n) memory.take(n)
