// Events are structures, whose members say what is counted where; weights come through the cache. want: parallel
// chain: parallelize,histogram.private@energy,readonly
// shows: energy_own\[event\[i\]\.cell\], event\[i\]\.e \* __ldg\(&w\[i\]\)
struct event { float x, e; int cell; };
struct bin { int hits, cell; };
#pragma regraph extent(event: n) extent(w: n) extent(count: 64) extent(energy: 64)
#pragma regraph input(event.cell: uniform(0, 63)) size(n=300000) size(n=77)
void private_structures(int n, const struct event *event, const float *w, struct bin *count, float *energy)
{
    for (int i = 0; i < n; i++) {
        if (event[i].x > 0.25f) count[event[i].cell].hits++;
        energy[event[i].cell] += event[i].e * w[i];
    }
}
