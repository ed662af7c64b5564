/* NAME_cuda_device() of a plan with loops: its launches are kept as a CUDA graph while the arguments stay the same. */
#include "runtime/export/export_internal.h"

const char rg__replay_helper[] =
    "// Queues the work itself the first time; the second time with the same arguments it is recorded as a CUDA graph, which later calls\n"
    "// launch as a whole (a launch inside costs about 1 us instead of 2.5 to 5). Recording costs some 2 us a launch, once.\n"
    "template <class... A> static std::string @key(const A &...a)\n{\n"
    "    std::string k;\n    (void)std::initializer_list<int>{(k.append((const char *)&a, sizeof a), 0)...};\n    return k;\n}\n"
    "template <class Queue> static cudaError_t @replay(const std::string &key, cudaStream_t stream, Queue queue)\n{\n"
    "    static std::mutex lock;\n    static std::string last;\n    static cudaGraphExec_t graph = NULL;\n    static cudaEvent_t done = NULL;\n"
    "    static bool refused = false;\n    const size_t most = 20000;\n"
    "    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;\n    int device = 0;\n"
    "    cudaError_t e = cudaStreamIsCapturing(stream, &status);\n"
    "    if (e == cudaSuccess) e = cudaGetDevice(&device);\n    if (e != cudaSuccess) return e;\n"
    "    if (status != cudaStreamCaptureStatusNone) return queue(stream); // becomes part of the caller's own graph\n"
    "    const std::lock_guard<std::mutex> hold(lock);\n    const std::string now = key + @key(device);\n"
    "    if (now != last) {\n"
    "        if (graph) {\n            cudaEventSynchronize(done);\n            cudaGraphExecDestroy(graph);\n            cudaEventDestroy(done);\n        }\n"
    "        graph = NULL;\n        done = NULL;\n        refused = false;\n        last = now;\n        return queue(stream);\n    }\n"
    "    if (!graph && !refused) {\n        cudaStream_t own = NULL;\n        cudaGraph_t g = NULL;\n        size_t n = 0;\n"
    "        e = cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking); // the default stream can't record\n"
    "        if (e == cudaSuccess) e = cudaStreamBeginCapture(own, cudaStreamCaptureModeThreadLocal);\n"
    "        if (e == cudaSuccess) {\n            e = queue(own);\n            const cudaError_t ended = cudaStreamEndCapture(own, &g);\n"
    "            if (e == cudaSuccess) e = ended;\n        }\n"
    "        if (e == cudaSuccess) e = cudaGraphGetNodes(g, NULL, &n);\n"
    "        if (e == cudaSuccess && n <= most) e = cudaEventCreateWithFlags(&done, cudaEventDisableTiming);\n"
    "        if (e == cudaSuccess && n <= most) e = cudaGraphInstantiate(&graph, g, 0);\n"
    "        if (e != cudaSuccess) graph = NULL;\n        refused = !graph;\n"
    "        if (g) cudaGraphDestroy(g);\n        if (own) cudaStreamDestroy(own);\n        cudaGetLastError();\n    }\n"
    "    if (refused) return queue(stream);\n    e = cudaGraphLaunch(graph, stream);\n"
    "    return e != cudaSuccess ? e : cudaEventRecord(done, stream);\n}\n";

static bool launches_inside(int n, struct rg_plan_stmt *const *items)
{
    for (int i = 0; i < n; i++)
        if (items[i]->kind == RG_PLAN_LAUNCH || launches_inside(items[i]->n_body, items[i]->body) || launches_inside(items[i]->n_else, items[i]->orelse))
            return true;
    return false;
}

static bool loops(int n, struct rg_plan_stmt *const *items)
{
    for (int i = 0; i < n; i++) {
        const struct rg_plan_stmt *s = items[i];
        bool loop = s->kind == RG_PLAN_FOR || s->kind == RG_PLAN_WHILE || s->kind == RG_PLAN_DO;
        if (loop ? launches_inside(s->n_body, s->body) : loops(s->n_body, s->body) || loops(s->n_else, s->orelse)) return true;
    }
    return false;
}

/* What the plan reads back decides anew at every call. */
bool rg__export_replays(const struct rg_plan *p)
{
    return !p->reads_data && loops(p->n, p->stmts);
}

void rg__write_replay(struct rg__writer *w)
{
    const char *x = w->n->prefix;
    rg_buf_printf(w->out, "    return %sreplay(%skey(", x, x);
    rg__write_arguments(w, w->args_device, w->n_args_device);
    rg_buf_printf(w->out, "), %sstream, [&](cudaStream_t %son) { return %squeue(", x, x, x);
    rg__write_arguments(w, w->args_device, w->n_args_device);
    rg_buf_printf(w->out, "%s%son); });\n", w->n_args_device ? ", " : "", x);
}
