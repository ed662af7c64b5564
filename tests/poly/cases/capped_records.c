// Records near a point, with members set behind the copy; whether there was room for all is a flag. want: parallel
// chain: scan.block
#pragma regraph size(n=3000, cap=40) size(n=300, cap=300) size(n=9, cap=1)
typedef struct { float x, y, z; int id; } point;
int capped_records(const point *pts, int n, float cx, float cy, float r, point *out, int cap, int *truncated)
{
    int k = 0;
    *truncated = 0;
    for (int i = 0; i < n; i++) {
        const float dx = pts[i].x - cx, dy = pts[i].y - cy;
        if (dx * dx + dy * dy > r * r)
            continue;
        if (k == cap) {
            *truncated = 1;
            break;
        }
        out[k] = pts[i];
        out[k].id = i;
        k++;
    }
    return k;
}
