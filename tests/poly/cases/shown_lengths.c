// want: parallel
/* main shows what it does with few numbers: how long its arrays are says nothing of others. */
#include <stdio.h>
void shown_lengths(int rows, int cols, const int *at, const int *col, const float *x, int *count, float *sum)
{
    for (int j = 0; j < cols; j++) sum[j] = 0;
    for (int i = 0; i < rows; i++)
        for (int k = at[i]; k < at[i + 1]; k++) {
            count[col[k]]++;
            sum[col[k] % cols] += x[k];
        }
}

int main(void)
{
    int at[] = {0, 2, 3, 5}, col[] = {0, 3, 1, 2, 3}, count[4] = {0};
    float x[5] = {1, 2, 3, 4, 5}, sum[4];
    shown_lengths(3, 4, at, col, x, count, sum);
    for (int j = 0; j < 4; j++) printf("%d %g\n", count[j], sum[j]);
    return 0;
}
