// function: fade
// expect: no size for 'n'
/* main shows what it does with a handful of numbers: no size to time */
void fade(int n, const double *x, double *y)
{
    for (int i = 0; i < n; i++) y[i] = 0.5 * x[i];
}
int main(void)
{
    double x[5] = {1, 2, 3, 4, 5}, y[5];
    fade(5, x, y);
    return y[0] > 1;
}
