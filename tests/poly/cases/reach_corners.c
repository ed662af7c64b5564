// Corners of triangles: all three of each lead to the nodes, whose number nothing says. want: parallel
#pragma regraph size(triangles=60) size(triangles=7) size(triangles=1)
typedef struct {
    float x, y;
} node;
void areas(const node *at, const unsigned *corners, long triangles, float *area, float *edge)
{
    for (long t = 0; t < triangles; t++) {
        unsigned a = corners[3 * t], b = corners[3 * t + 1], c = corners[3 * t + 2];
        if (a == b || b == c || c == a) {
            area[t] = edge[t] = 0;
            continue;
        }
        float ux = at[b].x - at[a].x, uy = at[b].y - at[a].y, vx = at[c].x - at[a].x, vy = at[c].y - at[a].y;
        area[t] = 0.5f * (ux * vy - uy * vx);
        edge[t] = ux * ux + uy * uy;
    }
}
