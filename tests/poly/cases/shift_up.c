// Records move two places to the front, and what they hold is made of both. want: parallel
#pragma regraph size(n=5000) size(n=67) size(n=3) size(n=2)
struct pair {
    double x;
    int id;
};
void shift_up(int n, struct pair a[n], double *sum)
{
    double s = 0;
    for (int i = 0; i < n - 2; i++) {
        struct pair next = a[i + 2];
        s += next.x;
        a[i].x = 0.5 * (a[i].x + next.x);
        a[i].id = next.id;
    }
    sum[0] = s;
}
