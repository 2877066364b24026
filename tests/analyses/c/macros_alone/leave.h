void told(const char *where);
#define leave_here do { told(__func__); return; } while (0)
#define note_here do { told(__func__); } while (0)
#define leave_for_end goto end
#define end_unless(x) if (!(x)) goto end
