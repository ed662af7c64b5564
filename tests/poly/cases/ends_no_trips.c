// A loop that goes on while a place is before another makes no trips where it is behind. want: parallel
#pragma regraph size(n=9, a_count=6, b_count=3)
#pragma regraph size(n=300, a_count=20, b_count=270)
#pragma regraph extent(x: n)
void ends_no_trips(int n, float *x, float *a, float *b, float k)
{
    for (int i = 0; i < n; i++) x[i] += 1;
    for (float *p = x; p < a; p++) *p *= k;
    for (float *p = a; p < b; p++) *p -= k;
}
