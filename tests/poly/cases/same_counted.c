// How many keys are new: each is counted by one of its writers. want: parallel
// chain: parallelize@C
// shows: seen_before
#pragma regraph size(n=200000, m=30000) size(n=70, m=9) input(seen: uniform(0, 1))
int fresh(int n, int m, const int *key, int *seen)
{
    int found = 0;
    for (int i = 0; i < n; i++) {
        int k = key[i];
        if (seen[k] == 0) {
            seen[k] = 7;
            found++;
        }
    }
    return found + seen[m - 1];
}
