package replay

import (
	"strings"
	"testing"
)

func TestWriteAndCut(t *testing.T) {
	for _, pipeline := range []string{"", "a,b{x=1}", `a{s="q \ q"}`, "a,\nb"} {
		text := Write("why\nhow", "module {\n}\n", Info{Pipeline: pipeline, DisableThreading: pipeline == "", VerifyEach: pipeline != ""})
		body, got, ok := Cut(text)
		if !ok || got.Pipeline != pipeline || got.DisableThreading != (pipeline == "") || got.VerifyEach != (pipeline != "") {
			t.Errorf("%q becomes %v", pipeline, got)
		}
		if len(body) != len(text) || !strings.HasPrefix(body, "// why\n// how\nmodule {\n}\n") || strings.Contains(body, "#-}") {
			t.Errorf("body %q", body)
		}
	}
	for _, text := range []string{"", "module", "{-# #-}", "#-} {-#", "{-# external_resources: { mlir_reproducer: { pipeline: #-}", `{-# mlir_reproducer pipeline: "x #-}`} {
		if _, _, ok := Cut(text); ok {
			t.Errorf("%q is taken for a reproducer", text)
		}
	}
}
