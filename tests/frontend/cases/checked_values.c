// inputs that pass the checks in front of what is done with them: kinds, codes, places
// function: areas
// function: apply
// function: months
// function: total
// function: faces
// function: first
// function: copied
// explain(areas): .kind uniform(0, 3)
// explain(apply): input uniform(0, 5)
// explain(months): input uniform(1, 12)
// explain(total): nv=1000000, nt=1000000, v.size=1000000
// explain(faces): nv=1000000, nt=1000000, v.size=1000000
// not(first): input uniform
// not(copied): .kind uniform
enum kind { CIRCLE, SQUARE, CROSS, ELLIPSE };
struct shape {
    enum kind kind;
    double a, b;
};
int areas(const struct shape *s, int n, double *area)
{
    for (int i = 0; i < n; i++)
        switch (s[i].kind) {
        case CIRCLE: area[i] = 3.14159265 * s[i].a * s[i].a; break;
        case SQUARE: area[i] = s[i].a * s[i].a; break;
        case CROSS: area[i] = 2 * s[i].a * s[i].b - s[i].b * s[i].b; break;
        case ELLIPSE: area[i] = 3.14159265 * s[i].a * s[i].b; break;
        default: return -1;
        }
    return 0;
}
enum { ADD, SUB, MUL, LEAST, MOST, NEG, N_OPS };
int apply(int n, int len, const int *op, const double *arg, double *reg)
{
    for (int i = 0; i < n; i++) {
        double r = reg[i];
        for (int k = 0; k < len; k++) {
            double a = arg[i * len + k];
            if (op[k] < 0 || op[k] >= N_OPS) return -1;
            switch (op[k]) {
            case ADD: r += a; break;
            case SUB: r -= a; break;
            case MUL: r *= a; break;
            case LEAST: r = r < a ? r : a; break;
            case MOST: r = r > a ? r : a; break;
            default: r = -r;
            }
        }
        reg[i] = r;
    }
    return 0;
}
int months(int n, const int *month, int *quarter)
{
    for (int i = 0; i < n; i++) {
        if (month[i] <= 0 || month[i] > 12) return i;
        quarter[i] = (month[i] + 2) / 3;
    }
    return n;
}
int total(const double *v, int nv, const int *t, int nt, double *sum)
{
    double s = 0;
    for (int i = 0; i < nt; i++) {
        if (t[i] < 0 || t[i] >= nv) return -1;
        s += v[t[i]];
    }
    *sum = s;
    return 0;
}
struct face {
    unsigned a, b, c;
};
int faces(const float *v, unsigned nv, const struct face *f, int nt, float *area)
{
    for (int i = 0; i < nt; i++) {
        unsigned a = f[i].a, b = f[i].b, c = f[i].c;
        if (a >= nv || b >= nv || c >= nv) return i + 1;
        area[i] = v[a] + v[b] + v[c];
    }
    return 0;
}
/* what is looked for, and what goes on to elsewhere, is as likely as anything */
int first(int n, const int *x)
{
    for (int i = 0; i < n; i++)
        if (x[i] >= 80) return i;
    return n;
}
void copied(int n, const struct shape *s, int *code)
{
    for (int i = 0; i < n; i++) code[i] = s[i].kind == CIRCLE ? 1 : 3 * s[i].kind;
}
