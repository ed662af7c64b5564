// The product of sizes that an array member holds, taken by a loop over it. want: parallel
#pragma regraph size(b.dim[0]=12,b.dim[1]=20,b.dim[2]=9) size(b.dim[0]=1,b.dim[1]=1,b.dim[2]=1)
typedef struct { float lo[3]; int dim[3]; } box;
static long cells(const box *b)
{
    long n = 1;
    for (int d = 0; d < 3; ++d) n *= b->dim[d];
    return n;
}

void scale(const box *b, float *x, float a)
{
    int d;
    long n = cells(b), m = 0;
    for (d = 0; d < 3; d++) m += b->dim[d];
    for (long i = 0; i < n; i++) x[i] = a * x[i] + b->lo[i % 3] + m + d;
}
