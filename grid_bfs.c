int flood(int w, int h, const unsigned char *wall, int sx, int sy, int *dist)
{
    for (int i = 0; i < w*h; i++) dist[i] = -1;
    dist[sy*w+sx] = 0;
    for (int step = 0; ; step++) {
        int grew = 0;
        for (int y = 0; y < h; y++)
            for (int x = 0; x < w; x++) {
                if (dist[y*w+x] != step) continue;
                static const int dx[4] = {1,-1,0,0}, dy[4] = {0,0,1,-1};
                for (int k = 0; k < 4; k++) {
                    int nx = x + dx[k], ny = y + dy[k];
                    if (nx < 0 || ny < 0 || nx >= w || ny >= h) continue;
                    if (wall[ny*w+nx] || dist[ny*w+nx] >= 0) continue;
                    dist[ny*w+nx] = step + 1;
                    grew++;
                }
            }
        if (!grew) return step;
    }
}
