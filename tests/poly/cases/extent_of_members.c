// Corners of faces lead into positions, of which no loop says how many there are. want: parallel
// chain: parallelize@C
#pragma regraph size(faces=3000, pos.size=900) size(faces=17, pos.size=5)
struct point { float x, y, z; };
struct face { int corner[3]; int kind; };
void centres(const struct point *pos, const struct face *f, int faces, struct point *out)
{
    for (int i = 0; i < faces; i++) {
        struct point s = {0, 0, 0};
        for (int k = 0; k < 3; k++) {
            const struct point *p = &pos[f[i].corner[k]];
            s.x += p->x;
            s.y += p->y;
            s.z += p->z;
        }
        if (f[i].kind) out[i] = (struct point){s.x / 3, s.y / 3, s.z / 3};
    }
}
