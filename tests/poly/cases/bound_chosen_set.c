// A level that is kept above a floor, reset by data to what they say, and below a ceiling in one direction alone. want: parallel
// chain: scan.block@C
#pragma regraph size(n=60000) size(n=1) size(n=700) input(flow: uniform(-50, 49)) input(set: uniform(0, 99)) role(level: out)
void bound_chosen_set(const int *flow, const int *set, int *level, int n)
{
    int x = -2000000000;
    for (int i = 0; i < n; i++) {
        x = set[i] < 3 ? -1000 * set[i] : set[i] < 50 ? (x + flow[i] > -set[i] ? x + flow[i] : -set[i]) : x;
        level[i] = x;
    }
}
