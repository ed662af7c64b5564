#pragma regraph size(N=50)
typedef double DT;
#define A(i,j) a[(i)*N+(j)]
void trisolve(int N, const DT *a, const DT *b, DT *x)
{
    int i, j;
    for (i = 0; i < N; i++) {
        x[i] = b[i];
        for (j = 0; j < i; j++)
            x[i] = x[i] - A(i, j) * x[j];
        x[i] = x[i] / (A(i, i) + 3.0);
    }
}
