// expect: 'scale' returns a pointer ('float *')
// size: n=4
float *scale(float *x, int n)
{
    for (int i = 0; i < n; i++) x[i] *= 2;
    return x;
}
