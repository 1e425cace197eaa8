/* A driver to test with: answers NVML's calls from a text file that is read again on each call.
 *
 * FAKE_NVML names the file. Its first line is the result of nvmlInit (0 is well); each further line is one
 * GPU: RESULT MEMORY_MB UUID NAME, where a RESULT other than 0 is the error of every call about that GPU.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { unsigned long long total, free, used; } memory_t;

static int read_gpu(unsigned wanted, int *result, unsigned long long *mb, char *uuid, char *name) {
    char line[512];
    FILE *file = fopen(getenv("FAKE_NVML"), "r");
    int count = -1;
    while (file && fgets(line, sizeof line, file)) {
        if (count >= 0 && (unsigned)count == wanted)
            sscanf(line, "%d %llu %95s %95[^\n]", result, mb, uuid, name);
        count++;
    }
    if (file) fclose(file);
    return count < 0 ? 0 : count;
}

static int look(void *handle, unsigned long long *mb, char *uuid, char *name) {
    int result = 0;
    read_gpu((unsigned)((size_t)handle - 1), &result, mb, uuid, name);
    return result;
}

int nvmlInit_v2(void) {
    int result = 9; /* driver not loaded */
    FILE *file = fopen(getenv("FAKE_NVML"), "r");
    if (file) { if (fscanf(file, "%d", &result) != 1) result = 999; fclose(file); }
    return result;
}
int nvmlInitWithFlags(unsigned flags) { (void)flags; return nvmlInit_v2(); }
int nvmlShutdown(void) { return 0; }
int nvmlDeviceGetCount_v2(unsigned *count) {
    int result = 0; unsigned long long mb; char uuid[96], name[96];
    *count = (unsigned)read_gpu(~0u, &result, &mb, uuid, name);
    return 0;
}
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **handle) {
    *handle = (void *)(size_t)(index + 1);
    return 0;
}
int nvmlDeviceGetName(void *handle, char *name, unsigned length) {
    unsigned long long mb; char uuid[96], found[96] = "";
    int result = look(handle, &mb, uuid, found);
    snprintf(name, length, "%s", found);
    return result;
}
int nvmlDeviceGetUUID(void *handle, char *uuid, unsigned length) {
    unsigned long long mb; char found[96] = "", name[96];
    int result = look(handle, &mb, found, name);
    snprintf(uuid, length, "%s", found);
    return result;
}
int nvmlDeviceGetMemoryInfo(void *handle, memory_t *memory) {
    unsigned long long mb = 0; char uuid[96], name[96];
    int result = look(handle, &mb, uuid, name);
    memory->total = memory->free = mb << 20;
    memory->used = 0;
    return result;
}
const char *nvmlErrorString(int result) { return result == 15 ? "GPU is lost" : "Driver Not Loaded"; }
