// A search for the nearest point stops where it can't raise the largest distance any more. want: parallel
// chain: reduce.block@loop:i
#pragma regraph size(na=300, nb=200) size(na=40, nb=7) extent(A: 2*na) extent(B: 2*nb)
#include <float.h>
float pruned_farthest(const float *A, int na, const float *B, int nb)
{
    float cmax = 0.0f;
    for (int i = 0; i < na; i++) {
        float cmin = FLT_MAX;
        for (int j = 0; j < nb; j++) {
            float dx = A[2 * i] - B[2 * j], dy = A[2 * i + 1] - B[2 * j + 1];
            float d = dx * dx + dy * dy;
            if (d < cmin) {
                cmin = d;
                if (cmin < cmax) break;
            }
        }
        if (cmin > cmax) cmax = cmin;
    }
    return cmax;
}
