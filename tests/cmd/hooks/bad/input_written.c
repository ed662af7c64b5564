// says: input_written.c:6: scale writes x[0]
// says: role(x: inout)
#pragma regraph size(n=1000) role(x: in)
void scale(int n, float *x, float *y)
{
    for (int i = 0; i < n; i++) { y[i] = 2 * x[i]; x[i] = 0; }
}
