// A scalar gets a place for each iteration of loops that begin under zero, one counted by a long. want: parallel
// chain: wavefront
// shows: s_all\[.*\+ 2
#pragma regraph size(n=3000,m=40) size(n=5,m=30) size(n=1,m=1) extent(out: n * 5)
#include <math.h>
void below(int n, int m, const float *x, float *out)
{
    float state = 0.5f;
    for (int y = -3; y < n - 3; y++)
        for (long d = -2; d <= 2; d++) {
            float s = 0;
            for (int k = 0; k < m; k++) s += x[k] * sinf((float)(d + y * k));
            state = 1 / (1 + state * state + s * s);
            out[(y + 3) * 5 + d + 2] = state;
        }
}
