package commands

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/irc-lang/irc/backends/cuda"
	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/backends/sandbox"
	"github.com/irc-lang/irc/tools/irc/internal/emit/code"
)

// finding is what doctor says about one tool. None is needed to read,
// transform, print or interpret programs.
type finding struct {
	Name    string `json:"name"`
	Found   bool   `json:"found"`
	Version string `json:"version"`
	Path    string `json:"path"`
	For     string `json:"needed_for"`
	Get     string `json:"how_to_get"`
	Device  string `json:"device,omitempty"` // of libcuda: what it drives
	Reason  string `json:"reason,omitempty"` // why it was not found

	Sandbox *sandbox.State `json:"sandbox,omitempty"` // of native code
}

// doctor shows what was found on this machine.
func doctor(s *session) error {
	found := []finding{findLLVM(), findSandbox(s.Context), findCUDA(s.Context),
		findTool(s.Context, "linker", "shared objects: -emit=so; without it -emit=obj writes what another machine links", "Debian: apt-get install lld-19, or gcc", code.Linkers...),
		findTool(s.Context, "ptxas", "assembling PTX in tests; the driver needs none", "make deps-ptx (Debian: a part of nvidia-cuda-toolkit, non-free)", "ptxas"),
		findTool(s.Context, "mlir-opt", "comparing the text form with MLIR in tests", "Debian: apt-get install mlir-19-tools", "mlir-opt-19", "mlir-opt"),
		findTool(s.Context, "jags", "comparing log densities with JAGS in tests", "Debian: apt-get install jags", "jags"),
	}
	found = append(found, findLibraries()...)
	if s.Flag("json") {
		return s.WriteJSON(found)
	}
	for _, f := range found {
		if f.Found {
			fmt.Fprintf(s.Stdout, "%-9s found    %s\n", f.Name, strings.TrimSpace(f.Version+" "+f.Path))
			if f.Device != "" {
				fmt.Fprintf(s.Stdout, "          drives   %s\n", f.Device)
			}
		} else {
			fmt.Fprintf(s.Stdout, "%-9s missing  %s\n", f.Name, f.Get)
			if f.Reason != notOnPath {
				fmt.Fprintf(s.Stdout, "          because  %s\n", f.Reason)
			}
		}
		fmt.Fprintf(s.Stdout, "          for      %s\n", f.For)
	}
	return nil
}

func findLLVM() finding {
	info := jit.Doctor()
	return finding{Name: "libLLVM", Found: info.Found, Version: info.Version, Path: info.Path, Reason: info.Reason,
		For: "native code: -engine=llvm, -emit=asm, -emit=obj and -emit=ptx; without it programs are interpreted",
		Get: "Debian: apt-get install libllvm19; or set IRC_LIBLLVM to the path of a libLLVM.so, version 16 or newer"}
}

// findSandbox starts native code's process, as a run does, and asks what holds it in.
func findSandbox(ctx context.Context) finding {
	f := finding{Name: "sandbox", For: "native code: it may compute, and has no files, network or processes (docs/security.md); a GPU's driver is in none",
		Get: "Linux on x86-64 or arm64, with seccomp filters and libLLVM; -engine=eval runs no native code"}
	child, err := jit.Start(ctx, jit.ChildOptions{})
	if err != nil {
		if f.Reason = err.Error(); errors.Is(err, jit.ErrMissing) {
			f.Reason = "there is no native code without libLLVM"
		}
		return f
	}
	state := child.Info().Sandbox
	f.Found, f.Sandbox, f.Reason = state.Filter, &state, state.Missing
	if f.Found {
		f.Version = state.String()
	}
	if err := child.Close(); err != nil {
		f.Reason = err.Error()
	}
	return f
}

// findCUDA starts the driver, in a child process as -engine=cuda does.
func findCUDA(ctx context.Context) finding {
	f := finding{Name: "libcuda", For: "kernels on NVIDIA GPUs: -engine=cuda; without it the interpreter runs them. Its process is in no sandbox",
		Get: "NVIDIA's driver brings it; or set IRC_LIBCUDA to the path of a libcuda.so"}
	gpu, err := cuda.Open(ctx, cuda.Options{StartLimit: 20 * time.Second})
	if err != nil {
		f.Reason = err.Error()
		return f
	}
	d := gpu.Device()
	f.Found, f.Version, f.Path = true, d.DriverVersion(), d.Library
	f.Device = fmt.Sprintf("%s: compute capability %s, %d multiprocessors, %.1f GB", d.Name, d.Capability(), d.SMs, float64(d.Memory)/1e9)
	if d.Count > 1 {
		f.Device += fmt.Sprintf("; the first of %d", d.Count)
	}
	if _, err := d.Arch(); err != nil {
		f.Device += "; " + err.Error()
	}
	if err := gpu.Close(); err != nil {
		f.Reason = err.Error()
	}
	return f
}

var versionRE = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\d+\.\d+(\.\d+)?`) })

const notOnPath = "not on PATH"

func findTool(ctx context.Context, name, needed, get string, files ...string) finding {
	f := finding{Name: name, For: needed, Get: get, Reason: notOnPath}
	for _, file := range files {
		path, err := exec.LookPath(file)
		if err != nil {
			continue
		}
		f.Found, f.Path, f.Reason = true, path, ""
		f.Version = toolVersion(ctx, path, name)
		break
	}
	return f
}

// toolVersion asks a tool; one that says nothing in time has no version. jags
// has no flag for it: it tells when it starts.
func toolVersion(ctx context.Context, path, name string) string {
	ctx, stop := context.WithTimeout(ctx, 5*time.Second)
	defer stop()
	cmd := exec.CommandContext(ctx, path, "--version")
	if name == "jags" {
		cmd = exec.CommandContext(ctx, path)
		cmd.Stdin = strings.NewReader("exit\n")
	}
	out, _ := cmd.CombinedOutput()
	return versionRE().FindString(string(out))
}
