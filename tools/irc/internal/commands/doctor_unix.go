//go:build unix

package commands

import "github.com/ebitengine/purego"

// findLibraries looks for libraries that only tests load.
func findLibraries() []finding {
	return []finding{findLibrary("isl", "comparing integer sets with isl in tests", "Debian: apt-get install libisl-dev", "libisl.so.23", "libisl.so")}
}

func findLibrary(name, needed, get string, files ...string) finding {
	f := finding{Name: name, For: needed, Get: get}
	for _, file := range files {
		h, err := purego.Dlopen(file, purego.RTLD_LAZY|purego.RTLD_LOCAL)
		if err != nil {
			if f.Reason == "" {
				f.Reason = err.Error()
			}
			continue
		}
		_ = purego.Dlclose(h)
		f.Found, f.Path, f.Reason = true, file, ""
		break
	}
	return f
}
