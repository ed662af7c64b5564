/* The running sum of n values. */
void running_sum(int n, const float *x, float *y)
{
    float sum = 0;
    for (int i = 0; i < n; i++) {
        sum += x[i];
        y[i] = sum;
    }
}
