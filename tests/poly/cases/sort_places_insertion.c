// Places in order of what another array has there, falling, by insertion. want: parallel
// chain: parallelize@C
// shows: rg_sort_tile.*rg_keys
#pragma regraph size(players=2500) size(players=40)
#pragma regraph extent(rating: players)
void rank_players(const float *rating, int *order, int players)
{
    for (int p = 0; p < players; p++) order[p] = p;
    for (int p = 1; p < players; p++) {
        int who = order[p], q = p;
        for (; q > 0 && rating[order[q - 1]] < rating[who]; q--) order[q] = order[q - 1];
        order[q] = who;
    }
}
