// How far a row's element is behind where another row begins is no place in either. want: parallel
// chain: parallelize@C
// shows: p_at - \(rows_v
#pragma regraph size(n=300) size(n=7) extent(count: 16) extent(rows.v: n, 24) input(rows.n: uniform(0, 24))
struct row { const int *v; int n, sum; };
void row_places_not(struct row *rows, int n, unsigned *count)
{
    for (struct row *r = rows; r < rows + n; r++) {
        r->sum = 0;
        for (const int *p = r->v; p < r->v + r->n; p++) {
            count[*p & 15]++;
            r->sum += (int)(p - rows->v);
        }
    }
}
