// want: parallel
/* Events in order of time, as checked at the door. */
typedef struct { struct { float t; } at; float dose; } event;
#pragma regraph size(m=30,n=20000) size(m=3,n=70) size(m=1,n=1) extent(e: m)
int level(const event e[], int m, float *out, int n, float decay)
{
    int bad = 0;
    for (int i = 0; i + 1 < m; i++) bad |= e[i].at.t > e[i + 1].at.t;
    if (bad) return -1;
    for (int k = 0; k < n; k++) {
        float sum = 0;
        for (int i = 0; i < m && e[i].at.t <= (float)k; i++) sum += e[i].dose / (1.0f + decay * ((float)k - e[i].at.t));
        out[k] = sum;
    }
    return 0;
}
