/* Stable split of measurements: the good ones and where they stood to the front of the outputs, the rest behind. */
#include <stdio.h>
#include <stdlib.h>

int split(int n, const float *value, float low, float high, float *kept, int *place)
{
    int front = 0, back;
    for (int i = 0; i < n; i++) {
        if (value[i] >= low && value[i] <= high) {
            kept[front] = value[i];
            place[front++] = i;
        }
    }
    back = front;
    for (int i = 0; i < n; i++) {
        if (!(value[i] >= low && value[i] <= high)) {
            kept[back] = value[i];
            place[back] = i;
            back++;
        }
    }
    return front;
}

int main(void)
{
    enum { N = 20000 };
    float *v = malloc(N * sizeof(float)), *k = malloc(N * sizeof(float));
    int *p = malloc(N * sizeof(int));
    for (int i = 0; i < N; i++) v[i] = (float)(rand() % 1000) / 1000;
    printf("%d\n", split(N, v, 0.2f, 0.6f, k, p));
    return 0;
}
