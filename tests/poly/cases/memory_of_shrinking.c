// Memory for as many elements as there are before their number is halved from level to level. want: parallel
#include <stdlib.h>
int memory_of_shrinking(float *x, int n)
{
    if (n < 2) return 0;
    float *tmp = malloc(n * sizeof(float));
    int levels = 0;
    while (n > 1) {
        int half = n / 2;
        float *low = tmp, *high = tmp + half;
        for (int i = 0; i < half; i++) {
            low[i] = (x[2 * i] + x[2 * i + 1]) / 2;
            high[i] = (x[2 * i] - x[2 * i + 1]) / 2;
        }
        for (int i = 0; i < 2 * half; i++) x[i] = tmp[i];
        n = half;
        levels++;
    }
    free(tmp);
    return levels;
}
