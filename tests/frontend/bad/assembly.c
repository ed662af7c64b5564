// function: add
// expect: assembly.c:4:
// expect: inline assembly cannot run on a device
static int plus(int a) { int r; __asm__("addl %1, %0" : "=r"(r) : "r"(a), "0"(a)); return r; }
void add(const int *a, int n, int *out)
{
    for (int i = 0; i < n; i++) out[i] = plus(a[i]);
}
