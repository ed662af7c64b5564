// A loop over a product of members, whose flat arrays were rows on the way there. want: parallel
// chain: parallelize,coalesce
// shows: p_v\[i\] (\+=|= p_v\[i\] \+) 0\.01f \* p_mass\[i\]
#pragma regraph size(p.nx=20,p.ny=30,n=40) size(p.nx=3,p.ny=5,n=7)
struct particles { int nx, ny; float *x, *v; const float *mass; };
void member_products(struct particles *p, float field[64][64], int n) {
    for (int i = 0; i < p->nx * p->ny; i++) {
        p->v[i] += 0.01f * p->mass[i];
        p->x[i] += 0.01f * p->v[i];
    }
    for (int i = 0; i < 64; i++)
        for (int j = 0; j < 64; j++) {
            float s = 0;
            for (int k = 0; k < n; k++) s += field[i][j] - p->x[k];
            field[i][j] = s;
        }
}
