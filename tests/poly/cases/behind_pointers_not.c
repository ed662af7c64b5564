// Integers behind pointers that stay arrays: one is stored to, one is gone along, one is handed on. want: parallel
// chain: parallelize@C
// shows: int \*__restrict__ left
// lacks: int (left|first|many)[,)]
#pragma regraph size(n=300) size(n=7) extent(left: 1) extent(first: n) extent(many: 1) extent(x: n)
static int twice(const int *v) { return 2 * *v; }
void behind_pointers_not(int n, int *left, const int *first, const int *many, float *x)
{
    for (int i = 0; i < n; i++) x[i] += *left + twice(many) * first[i] + *first;
    *left -= 1;
}
