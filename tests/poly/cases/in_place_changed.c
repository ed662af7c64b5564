// What is kept is changed where it stands, too: all are changed first, then a copy says what was there. want: parallel
#pragma regraph extent(p: n) input(p.life: uniform(0, 2))
struct dot {
    float life, x;
};
int in_place_changed(struct dot *p, int n, float dt)
{
    int k = 0;
    for (int i = 0; i < n; i++) {
        p[i].life -= 0.5f * dt * dt;
        if (p[i].life > 0.1f)
            p[k++] = p[i];
    }
    return k;
}
