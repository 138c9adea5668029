//go:build unix

package nvrtc

import (
	"os"
	"path/filepath"

	"github.com/ebitengine/purego"
)

// Open finds the library: IRC_LIBNVRTC, where the system looks, or where make deps-ptx puts it.
func Open() (*Library, error) {
	for _, path := range []string{os.Getenv("IRC_LIBNVRTC"), "bin/libnvrtc.so.11.2", "/usr/local/lib/libnvrtc.so.11.2", "libnvrtc.so.11.2"} {
		if path == "" {
			continue
		}
		// It loads this one by name: that one is loaded already will do.
		_, _ = purego.Dlopen(filepath.Join(filepath.Dir(path), "libnvrtc-builtins.so.11.8"), purego.RTLD_NOW|purego.RTLD_GLOBAL)
		lib, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_GLOBAL)
		if err != nil {
			continue
		}
		n := &Library{}
		for name, f := range map[string]any{"CreateProgram": &n.create, "CompileProgram": &n.compile, "GetCUBINSize": &n.cubinSize, "GetCUBIN": &n.cubin,
			"GetProgramLogSize": &n.logSize, "GetProgramLog": &n.log, "DestroyProgram": &n.destroy} {
			purego.RegisterLibFunc(f, lib, "nvrtc"+name)
		}
		var version func(major, minor *int32) int32
		purego.RegisterLibFunc(&version, lib, "nvrtcVersion")
		version(&n.VersionMajor, &n.Minor)
		return n, nil
	}
	return nil, errNoNVRTC
}
