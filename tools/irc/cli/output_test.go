package cli

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// files lists a folder.
func files(t *testing.T, dir string) (out []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

// What is printed is seen when it is complete, whole and in order, and nothing of
// it if it is dropped, however large it is.
func TestOutput(t *testing.T) {
	for _, size := range []int{0, 1, blockSize, inMemory, inMemory + 1, 5 * inMemory} {
		dir := t.TempDir()
		path := filepath.Join(dir, "out")
		if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
			t.Fatal(err)
		}
		want := make([]byte, size)
		for i := range want {
			want[i] = byte(i * 7 >> 3)
		}
		run := func(path string, end func(o *output) error) []byte {
			t.Helper()
			var stdout bytes.Buffer
			o := &output{s: &session{stdout: &stdout}, path: path}
			for rest := want; len(rest) > 0; {
				n := min(len(rest), 100_003)
				if _, err := o.Write(rest[:n]); err != nil {
					t.Fatal(err)
				}
				rest = rest[n:]
			}
			if got, _ := os.ReadFile(filepath.Join(dir, "out")); string(got) != "old" {
				t.Errorf("%d bytes: the file is changed before all is written", size)
			}
			if err := end(o); err != nil {
				t.Fatal(err)
			}
			return stdout.Bytes()
		}
		run(path, func(o *output) error {
			o.drop()
			if size > inMemory && !errors.Is(o.commit(), errDropped) {
				t.Error("what was dropped is put in its place")
			}
			return nil
		})
		if got, _ := os.ReadFile(path); string(got) != "old" || len(files(t, dir)) != 1 {
			t.Errorf("%d bytes dropped: %q is left of %v", size, got, files(t, dir))
		}
		if got := run("", (*output).commit); !bytes.Equal(got, want) {
			t.Errorf("%d bytes: standard output is not what was written", size)
		}
		run(path, (*output).commit)
		got, _ := os.ReadFile(path)
		if info, err := os.Stat(path); err != nil || info.Mode() != 0o600 || !bytes.Equal(got, want) || len(files(t, dir)) != 1 {
			t.Errorf("%d bytes: the file is not what was written (%v, %v)", size, err, files(t, dir))
		}
	}
}
