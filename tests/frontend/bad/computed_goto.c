// function: run
// expect: computed_goto.c:8:
// expect: a computed goto cannot run on a device
void run(const int *a, int n, int *out)
{
    for (int i = 0; i < n; i++) {
        int x = a[i];
        void *to = x & 1 ? &&odd : &&even;
        goto *to;
    odd:
        x = 3 * x;
    even:
        out[i] = x;
    }
}
