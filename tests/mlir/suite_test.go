package mlir_test

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var suiteDir = flag.String("suite", "", "the folder mlir/test of LLVM 19's source, which `make deps-mlir` gets")

// suiteFolders are the folders of MLIR's suite whose programs are about vectors.
var suiteFolders = []string{"Dialect/Vector", "Integration/Dialect/Vector/CPU", "Conversion/VectorToLLVM", "Conversion/VectorToSCF"}

// suiteBeyond says of what MLIR reads and we refuse why: what the message says, and the reason.
var suiteBeyond = []struct{ says, why string }{
	{"vector.warp_execute_on_lane_0", "a GPU's warp, told apart only while it is lowered"},
	{"'transform.", "programs of transformations"},
	{"'arm_sme.", "instructions of one machine"}, {"'arm_sve.", "instructions of one machine"},
	{"'amx.", "instructions of one machine"}, {"'x86vector.", "instructions of one machine"},
	{"'llvm.", "LLVM's dialect"}, {"'async.", "another dialect"}, {"'gpu.thread_id", "a thread outside of a kernel"},
	{"vector.reshape", "nothing runs it, and later versions of MLIR do not have it"},
	{"unsupported reduction type 'si4'", "numbers with a sign of their own do not compute"},
	{"unsupported reduction type 'ui4'", "numbers with a sign of their own do not compute"},
	{"the vector has 3 dimensions, and the memory has 0", "nothing says what it stores"},
}

// suiteChunks are the programs of MLIR's suite in which an op of vector stands and that MLIR itself reads.
func suiteChunks(t *testing.T, opt string) (out []chunk) {
	t.Helper()
	if *suiteDir == "" {
		t.Skip("this test needs -suite=DIR, MLIR's own tests (make deps-mlir)")
	}
	for _, folder := range suiteFolders {
		err := filepath.WalkDir(filepath.Join(*suiteDir, folder), func(path string, d fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".mlir" {
				return err
			}
			data, err := os.ReadFile(path)
			rel, _ := filepath.Rel(*suiteDir, path)
			for i, c := range chunkLine.Split(string(data), -1) {
				if c = withoutTransform(c); strings.Contains(c, "vector.") {
					out = append(out, chunk{rel, i + 1, c})
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return slices.DeleteFunc(out, func(c chunk) bool {
		_, err := pipe(t, c.text, opt, "-allow-unregistered-dialect")
		return err != nil
	})
}

var (
	chunkLine       = regexp.MustCompile(`(?m)^// -----.*\n`)
	transformModule = regexp.MustCompile(`(?m)^module attributes \{ ?transform.with_named_sequence ?\} \{$`)
)

// withoutTransform leaves out the module of transformations that a program ends with.
func withoutTransform(c string) string {
	at := transformModule.FindStringIndex(c)
	if at == nil {
		return c
	}
	_, after, _ := strings.Cut(c[at[1]:], "\n}\n")
	return c[:at[0]] + after
}

// What MLIR's suite has of vectors is read, and printed so that MLIR reads the same program; what is refused is
// refused for one of suiteBeyond. `go test ./tests/mlir -run Suite -v -suite=DIR`.
func TestSuiteRead(t *testing.T) {
	opt := tool(t, "mlir-opt-19")
	all := suiteChunks(t, opt)
	refused := map[string]int{}
	var tried []reread
	for _, c := range all {
		g, err := parse(newContext(), c.file, c.text, true)
		if err != nil {
			i := slices.IndexFunc(suiteBeyond, func(b struct{ says, why string }) bool { return strings.Contains(err.Error(), b.says) })
			if i < 0 {
				t.Errorf("%s chunk %d: MLIR reads it, irc says %v", c.file, c.n, err)
				continue
			}
			refused[suiteBeyond[i].why]++
			continue
		}
		tried = append(tried, reread{c, true, printed(t, g, true)})
	}
	t.Logf("%d programs: %d are read; refused: %v", len(all), len(tried), refused)
	if len(tried) < 650 {
		t.Errorf("only %d programs of MLIR's suite are read", len(tried))
	}
	accepted(t, opt, tried)
	same(t, opt, tried)
}
