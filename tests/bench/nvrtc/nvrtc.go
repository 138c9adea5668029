package nvrtc

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"unsafe"
)

// errNoNVRTC says that NVIDIA's compiler for CUDA source is not there.
var errNoNVRTC = errors.New("libnvrtc.so.11.2 is not found (make deps-ptx)")

// A Library compiles CUDA source at run time: NVIDIA's libnvrtc, which needs no GPU.
type Library struct {
	create              func(p *uintptr, src, name string, headers int32, texts, names unsafe.Pointer) int32
	compile             func(p uintptr, n int32, options **byte) int32
	cubinSize, logSize  func(p uintptr, n *uint64) int32
	cubin, log          func(p uintptr, to *byte) int32
	destroy             func(p *uintptr) int32
	VersionMajor, Minor int32
}

// Build compiles a file for an architecture, with macros defined.
func (n *Library) Build(file, arch string, macros ...string) ([]byte, error) {
	src, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var p uintptr
	if code := n.create(&p, string(src), filepath.Base(file), 0, nil, nil); code != 0 {
		return nil, fmt.Errorf("nvrtcCreateProgram: %d", code)
	}
	defer n.destroy(&p)
	var options []*byte
	for _, text := range append([]string{"--gpu-architecture=" + arch}, macros...) {
		options = append(options, &append([]byte(text), 0)[0])
	}
	failed := n.compile(p, int32(len(options)), &options[0]) != 0
	get, size := n.cubin, n.cubinSize
	if failed {
		get, size = n.log, n.logSize
	}
	var bytes uint64
	if code := size(p, &bytes); code != 0 {
		return nil, fmt.Errorf("nvrtc: %d", code)
	}
	out := make([]byte, bytes+1)
	get(p, &out[0])
	if failed {
		return nil, fmt.Errorf("%s: %s", file, out[:bytes])
	}
	return out[:bytes], nil
}
