//go:build !nojit && linux && (amd64 || arm64)

package jit

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
)

// unused are features whose instructions LLVM makes of nothing but intrinsics. Virtual
// machines often hide some, and run code for the processor that they name.
var unused = strings.Fields(`aes amx-bf16 amx-complex amx-fp16 amx-int8 amx-tile cldemote clflushopt clwb clzero enqcmd fsgsbase
	hreset invpcid kl lwp movdir64b movdiri mwaitx pconfig pku prefetchi prfchw ptwrite rdpid rdpru rdrnd rdseed rtm serialize
	sgx sha shstk tsxldtrk uintr waitpkg wbnoinvd widekl xsave xsavec xsaveopt xsaves`)

// checkHost refuses to make code for a processor with instructions that this machine
// lacks: it would end in a SIGILL somewhere. The C API does not tell the features of
// a processor, but LLVM inlines a function only into one that has all features of
// it. Of arm64 it counts hints of speed as features, so that nothing can be learnt.
func (m *module) checkHost(o Options) error {
	if o.CPU == "" || runtime.GOARCH != "amd64" {
		return nil
	}
	_, cpu, features := m.l.Host()
	theirs := o.Features + ",-ermsb" // a hint of speed that LLVM counts as a feature
	for f := range strings.SplitSeq(features, ",") {
		if name, ok := strings.CutPrefix(f, "-"); ok && slices.Contains(unused, name) {
			theirs += "," + f
		}
	}
	ll := fmt.Sprintf(`define internal i32 @theirs() "target-cpu"="%s" "target-features"="%s" {
  ret i32 1
}
define i32 @ours() "target-cpu"="%s" "target-features"="%s" {
  %%x = call i32 @theirs()
  ret i32 %%x
}
`, o.CPU, strings.TrimPrefix(theirs, ","), cpu, features)
	text, err := m.l.Optimize(ll, Options{Passes: "cgscc(inline)"})
	if err != nil {
		return m.fail("target", fmt.Sprintf("the processor %s is none for this machine, %s: %v", o.CPU, cpu, err))
	}
	if strings.Contains(text, "call i32 @theirs") {
		return m.fail("target", fmt.Sprintf("the processor %s has instructions that this machine, %s, lacks", o.CPU, cpu))
	}
	return nil
}
