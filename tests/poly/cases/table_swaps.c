// Elements change places as a table says: it is asked in front whether it leads back. want: parallel
// chain: parallelize@C
// shows: leads_back
#pragma regraph init(set_table) size(n=64) size(n=8) size(n=33)
typedef struct { float r, i; } cpx;
void set_table(int n, int *rev)
{
    for (int i = 0; i < n; i++)
        rev[i] = i / 3 * 3 + 2 - i % 3 < n ? i / 3 * 3 + 2 - i % 3 : i;
}
void reorder(int n, const int *rev, cpx *x, double *pairs)
{
    for (int i = 0; i < n; i++) {
        int j = rev[i];
        if (j > i) {
            cpx t = x[i];
            x[i] = x[j];
            x[j] = t;
            for (int k = 0; k < 2; k++) {
                double p = pairs[2 * i + k];
                pairs[2 * i + k] = pairs[2 * j + k];
                pairs[2 * j + k] = p;
            }
        }
    }
}
