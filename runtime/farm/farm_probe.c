/* What this machine can do, asked of the workers themselves: each says so when it starts. */
#include "runtime/farm/farm.h"
#include "runtime/os/sandbox.h"
#include "runtime/sim/device_sim.h"
#include <rg/file.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PROBE_SECONDS = 60 };

static enum rg_status listen_to(struct rg_proc *p, struct rg_probe *out, struct rg_error *err)
{
    char *line = NULL;
    struct rg_msg m;
    enum rg_status s = rg_proc_line(p, PROBE_SECONDS, &line, err);
    if (s != RG_OK) return s;
    if (!line)
        return rg_error_set(err, RG_UNAVAILABLE,
                            p->eof ? "the worker ended before it was ready%s%.300s"
                                   : "the worker does not start%s%.300s",
                            p->err_tail.len ? ": " : "", p->err_tail.len ? p->err_tail.data : "");
    s = rg__msg_parse(line, strlen(line), &m, err);
    free(line);
    if (s == RG_OK && m.kind == RG_MSG_ERROR)
        s = rg__msg_to_error(&m, err);
    else if (s == RG_OK && (m.kind != RG_MSG_READY || m.protocol != RG_PROTOCOL))
        s = rg_error_set(err, RG_UNAVAILABLE, "regraph-worker is of another version");
    if (s == RG_OK) {
        snprintf(out->device, sizeof out->device, "%s", m.device);
        snprintf(out->driver, sizeof out->driver, "%s", m.driver);
        snprintf(out->arch, sizeof out->arch, "%s", m.arch);
        snprintf(out->sandbox, sizeof out->sandbox, "%s", m.sandbox);
        out->sms = (int)m.sms;
        snprintf(out->hardware_counters, sizeof out->hardware_counters, "%.199s", m.hardware_counters);
        out->copy_bytes_s = m.copy_bytes_s > 0 ? m.copy_bytes_s : m.dram_bytes_s;
        out->fp32_flop_s = m.fp32_flop_s;
        out->fp64_flop_s = m.fp64_flop_s;
    }
    rg__msg_release(&m);
    return s;
}

enum rg_status rg_worker_probe(const char *role, const char *device, struct rg_probe *out, struct rg_error *err)
{
    memset(out, 0, sizeof *out);
    signal(SIGPIPE, SIG_IGN);
    char *worker = rg__farm_find_worker(NULL), tmp[300];
    const char *dir = getenv("TMPDIR");
    snprintf(tmp, sizeof tmp, "%.250s/regraph-probe-XXXXXX", dir && dir[0] ? dir : "/tmp");
    struct rg_shm shm = {.fd = -1};
    struct rg_proc p;
    enum rg_status s = mkdtemp(tmp) ? RG_OK : rg_error_set(err, RG_IO, "cannot create a folder %s", tmp);
    bool made = s == RG_OK;
    if (s == RG_OK) s = rg__shm_create(&shm, err);
    if (s == RG_OK) {
        const char *argv[] = {worker, "--role", role, "--tmp", tmp, "--probe", device ? "--device" : NULL,
                              device, NULL};
        struct rg_proc_options o = {.argv = argv, .pass_fd = shm.fd};
        double start = rg_now();
        s = rg_proc_start(&p, &o, err);
        if (s == RG_OK) {
            s = listen_to(&p, out, err);
            out->seconds = rg_now() - start;
            rg_proc_kill(&p);
        }
    }
    rg__shm_close(&shm);
    if (made) rmdir(tmp);
    free(worker);
    return s;
}

char *rg_worker_simulated(void)
{
    struct rg_buf b = RG_BUF_INIT;
    rg__sim_device_names(&b);
    return rg_buf_steal(&b);
}
