/* A driver to test with: answers NVML's calls from a text file that is read again on each call.
 *
 * FAKE_NVML names the file. Its first line is the result of every call while it is not 0 (9: the driver is not
 * loaded). Each further line is one GPU, `key=value` between spaces, the name last:
 *
 *     result=15 memory=24576 used=100 load=50 temperature=40 power=70 minor=3 uuid=GPU-1 compute=PID:MB,PID:MB
 *     graphics=PID:MB rows=1 recovery=1 name=NVIDIA H200
 *
 * A `result` other than 0 is the error of every call about that GPU, `handle` that of asking for the GPU at
 * all, and `memory_result` that of asking for its memory. FAKE_NVML_HANG names a file: while it is there,
 * no call comes back.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct { unsigned long long total, free, used; } memory_t;
typedef struct { unsigned version; unsigned long long total, reserved, free, used; } memory_v2_t;
typedef struct { unsigned gpu, memory; } utilization_t;
typedef struct { unsigned pid; unsigned long long used; unsigned gpu_instance, compute_instance; } process_t;
typedef struct {
    unsigned field, scope; long long at, latency; unsigned type, result; unsigned long long value;
} field_t;

enum { NOT_SUPPORTED = 3, NOT_FOUND = 6, TOO_SMALL = 7, NOT_LOADED = 9 };

/* The wanted line of the file (0 is the first GPU), or the number of GPUs in `count`. */
static int read_line(unsigned wanted, char *found, unsigned *count) {
    char line[4096];
    const char *hang = getenv("FAKE_NVML_HANG"), *path = getenv("FAKE_NVML");
    int result = NOT_LOADED;
    while (hang && access(hang, F_OK) == 0) usleep(10000);
    FILE *file = path ? fopen(path, "r") : NULL;
    if (!file) return NOT_LOADED;
    *found = 0;
    *count = 0;
    if (fgets(line, sizeof line, file)) result = atoi(line);
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        if ((*count)++ == wanted) strcpy(found, line);
    }
    fclose(file);
    return result;
}

/* The text behind `key=`, up to the next space (to the end for the name); NULL when there is none. */
static const char *get(const char *line, const char *key, char *value) {
    char wanted[64];
    snprintf(wanted, sizeof wanted, " %s=", key);
    const char *at = strstr(line, wanted);
    if (!at) return NULL;
    strcpy(value, at + strlen(wanted));
    if (strcmp(key, "name")) value[strcspn(value, " ")] = 0;
    return value;
}

static int look(void *handle, char *line) {
    char value[4096];
    unsigned count;
    int result = read_line((unsigned)((size_t)handle - 1), line, &count);
    if (result) return result;
    if (!*line) return NOT_FOUND;
    return get(line, "result", value) ? atoi(value) : 0;
}

static int text(void *handle, const char *key, char *out, unsigned length) {
    char line[4096], value[4096];
    int result = look(handle, line);
    if (result) return result;
    if (!get(line, key, value)) return NOT_SUPPORTED;
    snprintf(out, length, "%s", value);
    return 0;
}

static int number(void *handle, const char *key, unsigned *out, unsigned times) {
    char value[64];
    int result = text(handle, key, value, sizeof value);
    if (!result) *out = (unsigned)atoi(value) * times;
    return result;
}

static int processes(void *handle, const char *key, unsigned *count, process_t *out) {
    char list[4096];
    unsigned room = *count, found = 0;
    int result = text(handle, key, list, sizeof list);
    *count = 0;
    if (result == NOT_SUPPORTED) return 0;
    if (result) return result;
    for (char *each = strtok(list, ","); each; each = strtok(NULL, ",")) {
        unsigned pid = 0;
        long long mb = 0;
        sscanf(each, "%u:%lld", &pid, &mb);
        if (out && found < room)
            out[found] = (process_t){pid, mb < 0 ? ~0ull : (unsigned long long)mb << 20, ~0u, ~0u};
        found++;
    }
    *count = found;
    return found > room ? TOO_SMALL : 0;
}

int nvmlInit_v2(void) { char line[4096]; unsigned count; return read_line(~0u, line, &count); }
int nvmlInitWithFlags(unsigned flags) { (void)flags; return nvmlInit_v2(); }
int nvmlShutdown(void) { return 0; }
int nvmlSystemGetDriverVersion(char *out, unsigned length) { return snprintf(out, length, "570.86.15") < 0; }
int nvmlSystemGetCudaDriverVersion(int *out) { *out = 12080; return 0; }
int nvmlDeviceGetCount_v2(unsigned *count) { char line[4096]; return read_line(~0u, line, count); }
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **handle) {
    char line[4096], value[4096];
    unsigned count;
    int result = read_line(index, line, &count);
    *handle = (void *)(size_t)(index + 1);
    if (result) return result;
    return get(line, "handle", value) ? atoi(value) : 0;
}
int nvmlDeviceGetName(void *handle, char *out, unsigned length) { return text(handle, "name", out, length); }
int nvmlDeviceGetUUID(void *handle, char *out, unsigned length) { return text(handle, "uuid", out, length); }
int nvmlDeviceGetMinorNumber(void *handle, unsigned *out) { return number(handle, "minor", out, 1); }
int nvmlDeviceGetMemoryInfo(void *handle, memory_t *memory) {
    unsigned total = 0, used = 0, wrong = 0;
    number(handle, "memory_result", &wrong, 1);
    int result = number(handle, "memory", &total, 1);
    if (wrong || result) return wrong ? (int)wrong : result;
    number(handle, "used", &used, 1);
    memory->total = (unsigned long long)total << 20;
    memory->used = (unsigned long long)used << 20;
    memory->free = memory->total - memory->used;
    return 0;
}
int nvmlDeviceGetMemoryInfo_v2(void *handle, memory_v2_t *memory) {
    memory_t plain;
    int result = nvmlDeviceGetMemoryInfo(handle, &plain);
    if (result) return result;
    memory->total = plain.total;
    memory->used = plain.used;
    memory->free = plain.free;
    memory->reserved = 0;
    return 0;
}
int nvmlDeviceGetUtilizationRates(void *handle, utilization_t *out) {
    out->memory = 0;
    return number(handle, "load", &out->gpu, 1);
}
int nvmlDeviceGetTemperature(void *handle, unsigned sensor, unsigned *out) {
    (void)sensor;
    return number(handle, "temperature", out, 1);
}
int nvmlDeviceGetPowerUsage(void *handle, unsigned *out) { return number(handle, "power", out, 1000); }
int nvmlDeviceGetEnforcedPowerLimit(void *handle, unsigned *out) {
    return number(handle, "power_limit", out, 1000);
}
int nvmlDeviceGetComputeRunningProcesses_v3(void *handle, unsigned *count, process_t *out) {
    return processes(handle, "compute", count, out);
}
int nvmlDeviceGetGraphicsRunningProcesses_v3(void *handle, unsigned *count, process_t *out) {
    return processes(handle, "graphics", count, out);
}
int nvmlDeviceGetRemappedRows(void *handle, unsigned *a, unsigned *b, unsigned *pending, unsigned *failure) {
    *a = *b = *pending = 0;
    return number(handle, "rows", failure, 1);
}
int nvmlDeviceGetFieldValues(void *handle, int count, field_t *fields) {
    unsigned value = 0;
    int result = number(handle, "recovery", &value, 1);
    for (int each = 0; each < count; each++) {
        fields[each].result = (unsigned)result;
        fields[each].value = value;
    }
    return 0;
}
const char *nvmlErrorString(int result) { return result == 15 ? "GPU is lost" : "Unknown Error"; }
