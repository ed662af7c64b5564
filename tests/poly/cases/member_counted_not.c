// A member that a loop asks for, and those of elements that data name: the order stays. want: sequential
struct room { int used, size; };
#pragma regraph size(n=300) size(n=8) extent(r: 1)
void member_counted_not(const int *x, int n, struct room *r, int *left)
{
    for (int i = 0; i < n; i++) {
        if (r->used + (x[i] & 15) > 100) r->used = r->used / 2;
        r->used += x[i] & 15;
        left[i] = r->used * 3 % (1 + (x[i] & 7));
    }
}
