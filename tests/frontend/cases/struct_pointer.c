struct cell { double h, u; };
#pragma regraph size(n=333)
void shallow(struct cell *c, struct cell *out, int n, double k)
{
    int i;
    for (i = 1; i < n - 1; i++) {
        struct cell *here = &c[i];
        const struct cell *left = here - 1, *right = here + 1;
        out[i].h = here->h - k * (right->u - left->u);
        out[i].u = here->u - k * (right->h - left->h);
    }
    out[0] = c[0];
    out[n - 1] = c[n - 1];
}
