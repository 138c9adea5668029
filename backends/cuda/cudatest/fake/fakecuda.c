// A libcuda.so.1 for tests: the calls of the driver API that irc makes, on a device
// that is a part of the host's memory and runs PTX by the machine of ptx.c. It
// checks what a driver cannot forgive and the reference manual demands.
//
//	IRC_FAKECUDA_LOG=FILE      a line for each call, with its result
//	IRC_FAKECUDA_FAIL=CALL=CODE[@N]   the Nth call (the first) of CALL gives CODE
//	IRC_FAKECUDA_DEVICES=N     number of devices (1)
//	IRC_FAKECUDA_CAPABILITY=M.N   of the device (9.0)
//	IRC_FAKECUDA_MEMORY=BYTES  of the device (1 GiB)
//	IRC_FAKECUDA_REVERSE=1     threads run last to first
#include "ptx.h"
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef int CUresult;
typedef unsigned long long CUdeviceptr;

enum { OK, INVALID_VALUE, OUT_OF_MEMORY, NOT_INITIALIZED, NO_DEVICE = 100, INVALID_DEVICE, INVALID_CONTEXT = 201,
	NO_BINARY = 209, INVALID_PTX = 218, INVALID_HANDLE = 400, NOT_FOUND = 500, ILLEGAL_ADDRESS = 700 };

static const struct { int code; const char *name, *text; } errors[] = {
	{0, "CUDA_SUCCESS", "no error"}, {1, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
	{2, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"}, {3, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
	{100, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"}, {101, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
	{201, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
	{209, "CUDA_ERROR_NO_BINARY_FOR_GPU", "no kernel image is available for execution on the device"},
	{218, "CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed"}, {400, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
	{500, "CUDA_ERROR_NOT_FOUND", "named symbol not found"}, {700, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
	{701, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", "too many resources requested for launch"},
	{716, "CUDA_ERROR_MISALIGNED_ADDRESS", "misaligned address"}, {719, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
	{999, "CUDA_ERROR_UNKNOWN", "unknown error"}};

enum { zone = 64, maxThings = 4096, launchOverhead = 1 };

typedef struct { CUdeviceptr addr; size_t n; unsigned char *host; int live, ofModule; } allocation;

static struct {
	int ready, devices, broken, contexts, mods, events;
	allocation mem[maxThings];
	int nmem;
	size_t used, total;
	CUdeviceptr next;
	FILE *log;
	char fail[64];
	int failCode, failAt, failed;
	pthread_t owner;
	int current;
} fake = {.next = 0x7f0000000000, .devices = 1, .total = 1 << 30};

__attribute__((constructor)) static void start(void) {
	const char *s;
	if ((s = getenv("IRC_FAKECUDA_LOG"))) fake.log = fopen(s, "a");
	if ((s = getenv("IRC_FAKECUDA_DEVICES"))) fake.devices = atoi(s);
	if ((s = getenv("IRC_FAKECUDA_MEMORY"))) fake.total = strtoull(s, NULL, 0);
	fake.failAt = 1;
	if ((s = getenv("IRC_FAKECUDA_FAIL"))) sscanf(s, "%63[^=]=%d@%d", fake.fail, &fake.failCode, &fake.failAt);
}

// done logs a call and gives its result, or the one that is wanted by FAIL.
static CUresult done(CUresult r, const char *call, const char *format, ...) {
	if (!strcmp(call, fake.fail) && ++fake.failed == fake.failAt) r = fake.failCode;
	if (!fake.log) return r;
	fprintf(fake.log, "%s", call);
	va_list v;
	va_start(v, format);
	vfprintf(fake.log, format, v);
	va_end(v);
	fprintf(fake.log, " = %d\n", r);
	fflush(fake.log);
	return r;
}

// injected reports that a call is to fail without doing anything.
static int injected(const char *call) { return !strcmp(call, fake.fail) && fake.failed + 1 == fake.failAt; }

// usable is what every call that needs a context checks first.
static CUresult usable(void) {
	if (!fake.ready) return NOT_INITIALIZED;
	if (!fake.current || !pthread_equal(fake.owner, pthread_self())) return INVALID_CONTEXT;
	return fake.broken;
}
#define NEEDS(call) do { CUresult r = usable(); if (r || injected(call)) return done(r, call, " (not done)"); } while (0)

CUresult cuGetErrorName(CUresult code, const char **p) {
	for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
		if (errors[i].code == code) return *p = errors[i].name, OK;
	return *p = NULL, INVALID_VALUE;
}
CUresult cuGetErrorString(CUresult code, const char **p) {
	for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
		if (errors[i].code == code) return *p = errors[i].text, OK;
	return *p = NULL, INVALID_VALUE;
}

CUresult cuInit(unsigned flags) {
	if (injected("cuInit")) return done(OK, "cuInit", "");
	fake.ready = 1;
	return done(flags ? INVALID_VALUE : fake.devices ? OK : NO_DEVICE, "cuInit", " flags=%u", flags);
}
CUresult cuDriverGetVersion(int *v) { *v = 12040; return done(OK, "cuDriverGetVersion", ""); }
CUresult cuDeviceGetCount(int *n) { *n = fake.devices; return done(fake.ready ? OK : NOT_INITIALIZED, "cuDeviceGetCount", ""); }
CUresult cuDeviceGet(int *d, int ordinal) {
	*d = ordinal + 40; // a handle, not the number
	return done(ordinal >= 0 && ordinal < fake.devices ? OK : INVALID_DEVICE, "cuDeviceGet", " ordinal=%d", ordinal);
}
static int device(int d) { return d >= 40 && d < 40 + fake.devices; }
CUresult cuDeviceGetName(char *name, int n, int d) {
	snprintf(name, n, "Fake GPU");
	return done(device(d) ? OK : INVALID_DEVICE, "cuDeviceGetName", "");
}
CUresult cuDeviceTotalMem_v2(size_t *n, int d) { *n = fake.total; return done(device(d) ? OK : INVALID_DEVICE, "cuDeviceTotalMem_v2", ""); }
CUresult cuDeviceGetAttribute(int *v, int a, int d) {
	int major = 9, minor = 0;
	const char *s = getenv("IRC_FAKECUDA_CAPABILITY");
	if (s) sscanf(s, "%d.%d", &major, &minor);
	int values[100] = {[1] = 1024, [2] = 1024, [3] = 1024, [4] = 64, [5] = 2147483647, [6] = 65535, [7] = 65535, [8] = 49152, [13] = 1980000,
		[16] = 132, [36] = 2619000, [37] = 5120, [38] = 52428800, [75] = major, [76] = minor, [87] = 2, [97] = 232448};
	if (a < 0 || a >= 100 || !values[a]) { if (a != 76) return done(INVALID_VALUE, "cuDeviceGetAttribute", " attribute=%d", a); }
	*v = values[a];
	return done(device(d) ? OK : INVALID_DEVICE, "cuDeviceGetAttribute", " attribute=%d", a);
}

CUresult cuDevicePrimaryCtxRetain(void **c, int d) {
	if (injected("cuDevicePrimaryCtxRetain")) return done(OK, "cuDevicePrimaryCtxRetain", "");
	*c = &fake;
	fake.contexts++;
	return done(device(d) ? OK : INVALID_DEVICE, "cuDevicePrimaryCtxRetain", "");
}
CUresult cuCtxSetCurrent(void *c) {
	if (injected("cuCtxSetCurrent")) return done(OK, "cuCtxSetCurrent", "");
	fake.current = c == &fake;
	fake.owner = pthread_self();
	return done(c && c != (void *)&fake ? INVALID_CONTEXT : OK, "cuCtxSetCurrent", " %s", c ? "it" : "none");
}
CUresult cuDevicePrimaryCtxRelease_v2(int d) {
	int live = 0;
	for (int i = 0; i < fake.nmem; i++) live += fake.mem[i].live && !fake.mem[i].ofModule;
	if (--fake.contexts < 0) return done(INVALID_CONTEXT, "cuDevicePrimaryCtxRelease_v2", "");
	return done(device(d) ? OK : INVALID_DEVICE, "cuDevicePrimaryCtxRelease_v2", " left: %d allocations, %d modules, %d events, %d contexts",
		live, fake.mods, fake.events, fake.contexts);
}
CUresult cuCtxSynchronize(void) { NEEDS("cuCtxSynchronize"); return done(OK, "cuCtxSynchronize", ""); }

static allocation *allocate(size_t n) {
	int i = 0;
	while (i < fake.nmem && fake.mem[i].live) i++;
	if (i == maxThings || n > fake.total - fake.used) return NULL;
	if (i == fake.nmem) fake.nmem++;
	allocation *a = &fake.mem[i];
	*a = (allocation){.addr = fake.next, .n = n, .live = 1, .host = malloc(n + 2 * zone)};
	if (!a->host) return NULL;
	fake.next += (n + 4096) / 256 * 256; // aligned to 256, with a gap that belongs to nobody
	fake.used += n;
	memset(a->host, 0xBD, n + 2 * zone);
	memset(a->host + zone, 0xCD, n);
	return a;
}

// find returns the allocation that all of a range lies in.
static allocation *find(CUdeviceptr addr, size_t n) {
	for (int i = 0; i < fake.nmem; i++) {
		allocation *a = &fake.mem[i];
		if (a->live && addr >= a->addr && addr - a->addr <= a->n && n <= a->n - (addr - a->addr)) return a;
	}
	return NULL;
}
static void *memory(uint64_t addr, size_t n) {
	static allocation *last;
	if (!last || !last->live || addr < last->addr || addr - last->addr + n > last->n) last = find(addr, n);
	return last ? last->host + zone + (addr - last->addr) : NULL;
}

static int whole(const allocation *a) {
	for (int i = 0; i < zone; i++)
		if (a->host[i] != 0xBD || a->host[zone + a->n + i] != 0xBD) return 0;
	return 1;
}

CUresult cuMemAlloc_v2(CUdeviceptr *p, size_t n) {
	NEEDS("cuMemAlloc_v2");
	allocation *a = n ? allocate(n) : NULL;
	if (a) *p = a->addr;
	return done(a ? OK : n ? OUT_OF_MEMORY : INVALID_VALUE, "cuMemAlloc_v2", " bytes=%zu", n);
}
CUresult cuMemFree_v2(CUdeviceptr p) {
	NEEDS("cuMemFree_v2");
	allocation *a = find(p, 1);
	if (!a || a->addr != p) return done(INVALID_VALUE, "cuMemFree_v2", " (not an allocation)");
	int ok = whole(a);
	a->live = 0;
	fake.used -= a->n;
	free(a->host);
	return done(ok ? OK : ILLEGAL_ADDRESS, "cuMemFree_v2", ok ? "" : " (red zone overwritten)");
}
CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t n) {
	NEEDS("cuMemcpyHtoD_v2");
	allocation *a = find(to, n);
	if (a) memcpy(a->host + zone + (to - a->addr), from, n);
	return done(a ? OK : INVALID_VALUE, "cuMemcpyHtoD_v2", " bytes=%zu", n);
}
CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t n) {
	NEEDS("cuMemcpyDtoH_v2");
	allocation *a = find(from, n);
	if (a) memcpy(to, a->host + zone + (from - a->addr), n);
	return done(a ? OK : INVALID_VALUE, "cuMemcpyDtoH_v2", " bytes=%zu", n);
}

// Variables belong to the module that is being loaded; modules are numbered.
static struct { ptx_module *m; int number; } modules[maxThings];
static int loads;

static void *variable(size_t n, uint64_t *addr) {
	allocation *a = allocate(n);
	if (!a) return NULL;
	a->ofModule = loads;
	*addr = a->addr;
	return a->host + zone;
}

CUresult cuModuleLoadDataEx(ptx_module **m, const void *image, unsigned n, const int *options, void **values) {
	NEEDS("cuModuleLoadDataEx");
	char *log = NULL, nowhere[256];
	size_t size = 0;
	for (unsigned i = 0; i < n; i++) {
		if (options[i] == 5) log = values[i];
		else if (options[i] == 6) size = (size_t)values[i];
		else return done(INVALID_VALUE, "cuModuleLoadDataEx", " option=%d", options[i]);
	}
	if (!log) log = nowhere, size = sizeof nowhere;
	int major = 9, minor = 0, arch = 0;
	const char *s = getenv("IRC_FAKECUDA_CAPABILITY"), *target = strstr(image, ".target sm_");
	if (s) sscanf(s, "%d.%d", &major, &minor);
	if (target) arch = atoi(target + 11);
	if (arch > 10 * major + minor) return done(NO_BINARY, "cuModuleLoadDataEx", " target=sm_%d", arch);
	loads++;
	*m = ptx_parse(image, variable, log, size);
	if (*m) {
		fake.mods++;
		int i = 0;
		while (i < maxThings - 1 && modules[i].m) i++;
		modules[i].m = *m, modules[i].number = loads;
	}
	return done(*m ? OK : INVALID_PTX, "cuModuleLoadDataEx", " target=sm_%d", arch);
}
CUresult cuModuleUnload(ptx_module *m) {
	NEEDS("cuModuleUnload");
	for (int k = 0; k < maxThings; k++) {
		if (modules[k].m != m) continue;
		for (int i = 0; i < fake.nmem; i++) {
			allocation *a = &fake.mem[i];
			if (a->live && a->ofModule == modules[k].number) a->live = 0, fake.used -= a->n, free(a->host);
		}
		modules[k].m = NULL;
	}
	ptx_free(m);
	fake.mods--;
	return done(OK, "cuModuleUnload", "");
}
CUresult cuModuleGetFunction(ptx_entry **f, ptx_module *m, const char *name) {
	NEEDS("cuModuleGetFunction");
	*f = ptx_find(m, name);
	return done(*f ? OK : NOT_FOUND, "cuModuleGetFunction", " name=%s", name);
}
CUresult cuModuleGetGlobal_v2(CUdeviceptr *p, size_t *n, ptx_module *m, const char *name) {
	NEEDS("cuModuleGetGlobal_v2");
	uint64_t at = 0;
	size_t size = 0;
	int ok = ptx_global(m, name, &at, &size);
	if (ok && p) *p = at;
	if (ok && n) *n = size;
	return done(ok ? OK : NOT_FOUND, "cuModuleGetGlobal_v2", " name=%s", name);
}
static int optedIn;
CUresult cuFuncSetAttribute(ptx_entry *f, int attribute, int value) {
	NEEDS("cuFuncSetAttribute");
	optedIn = value;
	return done(f && attribute == 8 && value <= 232448 ? OK : INVALID_VALUE, "cuFuncSetAttribute", " attribute=%d value=%d", attribute, value);
}

CUresult cuLaunchKernel(ptx_entry *f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared,
	void *stream, void **params, void **extra) {
	NEEDS("cuLaunchKernel");
	if (!f) return done(INVALID_HANDLE, "cuLaunchKernel", "");
	uint64_t grid = (uint64_t)gx * gy * gz, block = (uint64_t)bx * by * bz;
	if (stream || extra || !grid || !block || block > 1024 || bz > 64 || gy > 65535 || gz > 65535 || (shared > 49152 && (int)shared > optedIn))
		return done(INVALID_VALUE, "cuLaunchKernel", " (refused) grid=%u,%u,%u block=%u,%u,%u shared=%u", gx, gy, gz, bx, by, bz, shared);
	int offset[maxParams], size[maxParams], n = ptx_params(f, offset, size);
	static unsigned char buffer[maxParams * 8];
	char shown[maxParams * 24] = "";
	for (int i = 0; i < n; i++) {
		uint64_t x = 0;
		memcpy(buffer + offset[i], params[i], size[i]);
		memcpy(&x, params[i], size[i]);
		snprintf(shown + strlen(shown), 24, " %d:%llx", size[i], (unsigned long long)x);
	}
	ptx_launch l = {.grid = {gx, gy, gz}, .block = {bx, by, bz}, .shared = shared, .params = buffer, .reverse = getenv("IRC_FAKECUDA_REVERSE") != NULL};
	if (fake.log) fprintf(fake.log, "launched\n"), fflush(fake.log);
	fake.broken = ptx_run(f, &l, memory); // as on a device, whoever waits is told
	return done(OK, "cuLaunchKernel", " grid=%u,%u,%u block=%u,%u,%u shared=%u params:%s", gx, gy, gz, bx, by, bz, shared, shown);
}

typedef struct { struct timespec at; } event;
CUresult cuEventCreate(event **e, unsigned flags) {
	NEEDS("cuEventCreate");
	*e = calloc(1, sizeof **e);
	fake.events++;
	return done(flags ? INVALID_VALUE : OK, "cuEventCreate", "");
}
CUresult cuEventRecord(event *e, void *stream) {
	NEEDS("cuEventRecord");
	clock_gettime(CLOCK_MONOTONIC, &e->at);
	return done(stream ? INVALID_HANDLE : OK, "cuEventRecord", "");
}
CUresult cuEventSynchronize(event *e) { NEEDS("cuEventSynchronize"); return done(e ? OK : INVALID_HANDLE, "cuEventSynchronize", ""); }
CUresult cuEventElapsedTime(float *ms, event *a, event *b) {
	NEEDS("cuEventElapsedTime");
	*ms = (b->at.tv_sec - a->at.tv_sec) * 1e3f + (b->at.tv_nsec - a->at.tv_nsec) / 1e6f;
	return done(OK, "cuEventElapsedTime", "");
}
CUresult cuEventDestroy_v2(event *e) {
	if (!fake.ready || injected("cuEventDestroy_v2")) return done(NOT_INITIALIZED, "cuEventDestroy_v2", "");
	free(e);
	fake.events--;
	return done(OK, "cuEventDestroy_v2", "");
}
