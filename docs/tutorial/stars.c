#include <stdio.h>
#include <stdlib.h>
#include "out/gravity/best.h"

void gravity(int n, float softening, const float *x, const float *y, const float *z, const float *mass,
             float *ax, float *ay, float *az);

int main(void)
{
    enum { N = 4000, STEPS = 3 };
    float *v[10]; /* positions, velocities, accelerations, masses */
    for (int k = 0; k < 10; k++) {
        v[k] = (float *)calloc(N, sizeof(float));
        for (int i = 0; i < N && (k < 3 || k == 9); i++) v[k][i] = (float)rand() / (float)RAND_MAX;
    }
    for (int step = 0; step < STEPS; step++) {
        gravity_auto(N, 0.01f, v[0], v[1], v[2], v[9], v[6], v[7], v[8]); /* was gravity(...) */
        for (int k = 0; k < 3; k++)
            for (int i = 0; i < N; i++) {
                v[3 + k][i] += 1e-6f * v[6 + k][i];
                v[k][i] += v[3 + k][i];
            }
    }
    printf("body 0 is at %.4f %.4f %.4f; the kernel ran: %s\n", v[0][0], v[1][0], v[2][0], gravity_auto_used() ? "yes" : "no");
    for (int k = 0; k < 10; k++) free(v[k]);
    return 0;
}
