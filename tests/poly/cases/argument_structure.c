// A structure that is passed by value, read in several statements of one kernel. want: parallel
struct vec {
    float x, y, z;
};

static float along(struct vec a, struct vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

#pragma regraph size(n=9,w=20,h=14) size(n=1,w=5,h=31) extent(radius: n) extent(depth: h*w)
long march(const float *restrict radius, int n, int w, int h, struct vec eye, float *restrict depth)
{
    long total = 0;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            struct vec d = {(float)x / w - 0.5f, (float)y / h - 0.5f, 1.0f};
            float t = 0;
            int k = 0;
            for (; k < 40; k++) {
                struct vec p = {eye.x + t * d.x, eye.y + t * d.y, eye.z + t * d.z};
                float best = along(p, eye);
                for (int i = 0; i < n; i++) {
                    struct vec q = p;
                    q.z -= radius[i];
                    best = along(q, q) < best ? along(q, q) : best;
                }
                if (best < 1e-3f) break;
                t += 0.01f * best;
            }
            total += k;
            struct vec hit = {eye.x + t * d.x, eye.y + t * d.y, eye.z + t * d.z};
            depth[y * w + x] = along(hit, eye);
        }
    return total;
}
