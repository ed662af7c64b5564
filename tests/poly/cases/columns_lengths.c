// Rows behind pointers in structures, each as long as an array beside them says, two numbers a place. want: parallel
#pragma regraph size(n=40) size(n=7)
struct path { float *xy; int id; };
void columns_lengths(struct path *p, const int *len, int n, float a)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < len[i]; k++) {
            p[i].xy[2 * k] *= a;
            p[i].xy[2 * k + 1] += p[i].id;
        }
}
