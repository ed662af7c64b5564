// A sum that is scaled anew whenever its largest term grows, of some elements alone. want: parallel
#include <math.h>
float scaled_norm(int n, const float x[n])
{
    float scale = 0.0f, ssq = 1.0f;
    for (int i = 0; i < n; i++) {
        float t = fabsf(x[i]);
        if (t == 0.0f)
            continue;
        if (scale < t) {
            float r = scale / t;
            ssq = 1.0f + ssq * r * r;
            scale = t;
        } else {
            float r = t / scale;
            ssq += r * r;
        }
    }
    return scale * sqrtf(ssq);
}
