package target

import (
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
)

// Host is this machine, as far as it tells: what it does not is taken as usual.
var Host = sync.OnceValue(func() *Target {
	t := &Target{Name: "host", Kind: CPU, Vector: 16, Cores: runtime.GOMAXPROCS(0), Library: libm, Costs: usual}
	if t.Caches = caches("/sys/devices/system/cpu/cpu0/cache"); t.Caches == nil {
		t.Caches = []int64{32 << 10}
	}
	if flags := field("/proc/cpuinfo", "flags"); has(flags, "avx512f") && has(flags, "avx512bw") {
		t.Vector = 64
	} else if has(flags, "avx2") {
		t.Vector = 32
	}
	if kb, _, ok := strings.Cut(field("/proc/meminfo", "MemTotal"), " kB"); ok {
		n, _ := strconv.ParseInt(kb, 10, 64)
		t.Memory = n << 10
	}
	return t
})

// field is what follows a name in a file of /proc.
func field(path, name string) string {
	data, _ := os.ReadFile(path)
	for line := range strings.Lines(string(data)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

func has(flags, flag string) bool { return strings.Contains(" "+flags+" ", " "+flag+" ") }

// caches are the sizes of the caches for data that a folder of Linux describes, or nil.
func caches(folder string) (out []int64) {
	levels, _ := filepath.Glob(filepath.Join(folder, "index*"))
	for _, l := range levels { // index0, index1 ... go outwards
		kind, _ := os.ReadFile(filepath.Join(l, "type"))
		if k := strings.TrimSpace(string(kind)); k != "Data" && k != "Unified" {
			continue
		}
		size, _ := os.ReadFile(filepath.Join(l, "size"))
		n := bytesOf(strings.TrimSpace(string(size)))
		if n <= 0 || len(out) > 0 && n < out[len(out)-1] {
			return nil
		}
		out = append(out, n)
	}
	return out
}

// bytesOf reads 48K or 2M.
func bytesOf(s string) int64 {
	unit := int64(1)
	switch {
	case strings.HasSuffix(s, "K"):
		unit = 1 << 10
	case strings.HasSuffix(s, "M"):
		unit = 1 << 20
	}
	n, _ := strconv.ParseInt(strings.TrimRight(s, "KM"), 10, 64)
	return n * unit
}
