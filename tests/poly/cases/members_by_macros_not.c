// A member that is set through such a macro is no number that stays. want: sequential
struct walk {
    int n, at;
};

#define AT(r) ((r)->at)

#pragma regraph extent(out: 97) extent(r: 1) input(r.at: constant(3)) input(r.n: constant(97)) input(v: uniform(0, 9))
void walk(struct walk *r, const int *v, int *out, int m)
{
    for (int i = 0; i < m; i++) {
        AT(r) = (AT(r) * AT(r) + v[i]) % 97;
        out[AT(r)]++;
    }
}
