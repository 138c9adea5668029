package target

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// Every target with a name is a machine, and reads back from its own JSON.
func TestNamed(t *testing.T) {
	for _, name := range names() {
		x, err := Named(name, "")
		if err != nil {
			t.Fatal(err)
		}
		if err := x.Check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		data, err := json.Marshal(x)
		if err != nil {
			t.Fatal(err)
		}
		y, err := Read(name+".json", data)
		if err != nil || !reflect.DeepEqual(x, y) {
			t.Errorf("%s reads back as\n%+v, %v\nfrom\n%+v", name, y, err, x)
		}
		if !strings.HasPrefix(x.String(), name+": ") {
			t.Errorf("%s is described as %q", name, x)
		}
	}
	if _, err := Named("mars", ""); err == nil {
		t.Error("there is a target mars")
	}
	x, _ := Named("nvptx64", "sm_90")
	if x.CPU != "sm_90" || named[1].CPU != "sm_80" {
		t.Errorf("a processor changes the table: %s, %s", x.CPU, named[1].CPU)
	}
}

func TestRead(t *testing.T) {
	x, err := Read("small.json", []byte(`{"vector_bytes": 16, "cache_bytes": [1024], "costs": {"trips": 10}}`))
	if err != nil {
		t.Fatal(err)
	}
	if x.Name != "small" || x.Kind != CPU || x.Lanes(8) != 2 || x.Lanes(32) != 1 || x.TableEntries() != 128 || x.Costs.Trips != 10 || x.Costs.Branch != usual.Branch {
		t.Errorf("%+v", x)
	}
	for text, want := range map[string]string{
		`{"vector_bytes": 12}`: "no power of 2",
		`{"vektor_bytes": 16}`: `small.json:1:2: error: a target has no "vektor_bytes"`,
		`{"cores": 0}`:         "cores is 0",
		`{"cores": "two"}`:     "cores is a string, and a whole number is wanted",
		`[]`:                   "small.json:1:1: error: a target is an object",
		` 7`:                   "small.json:1:2: error: a target is an object",
		`{"cores": 2, "vector_bytes": 2147483648}`: "small.json:1:14: error: vector_bytes is 2147483648, and at most 256",
		`{"cores": 1000000000}`:                    "cores is 1000000000, and at most 4096",
		`{"costs": {"max_full": 1000000000}}`:      "costs.max_full is 1000000000, and at most 65536",
		`{"costs": {"unroll": 100000}}`:            "costs.unroll is 100000, and at most 1024",
		`{"features": ["avx2"]}`:                   "each begins with + or -",
		`{"features": ["+avx2,+x"]}`:               "each begins with + or -",
		`{"cpu": "a b"}`:                           "no name of LLVM's",
		`{"memory_bytes": 9000000000000000000}`:    "memory_bytes is",
		`{"kind": "abacus"}`:                       `kind is "abacus"`,
		`{"costs": {"trips": -1}}`:                 "costs.trips is -1",
		`{"costs": {"branch": 2}}`:                 "costs.branch is 2",
		`{"cache_bytes": [2048, 1024]}`:            "ascend",
		`{"library": "libn"}`:                      "library",
		`{"cores": 1`:                              "small.json:1:11",
		`{"kind": "gpu", "memory_bytes":-1}`:       "memory_bytes",
	} {
		if _, err := Read("small.json", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// The sizes of caches come from folders as Linux has them.
func TestCaches(t *testing.T) {
	folder := t.TempDir()
	for i, c := range [][2]string{{"Data", "48K"}, {"Instruction", "32K"}, {"Unified", "2048K"}, {"Unified", "60M"}} {
		at := filepath.Join(folder, "index"+string(rune('0'+i)))
		if err := os.Mkdir(at, 0o777); err != nil {
			t.Fatal(err)
		}
		for k, name := range []string{"type", "size"} {
			if err := os.WriteFile(filepath.Join(at, name), []byte(c[k]+"\n"), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	if got, want := caches(folder), []int64{48 << 10, 2 << 20, 60 << 20}; !reflect.DeepEqual(got, want) {
		t.Errorf("caches %v, want %v", got, want)
	}
	if got := caches(filepath.Join(folder, "absent")); got != nil {
		t.Errorf("caches of nothing: %v", got)
	}
}

// docs/targets.md has every key, and its example is a target.
func TestDocs(t *testing.T) {
	page, err := os.ReadFile("../../docs/targets.md")
	if err != nil {
		t.Fatal(err)
	}
	_, example, _ := strings.Cut(string(page), "```json\n")
	example, _, _ = strings.Cut(example, "```")
	if x, err := Read("docs.json", []byte(example)); err != nil || x.CPU != "x86-64-v3" {
		t.Errorf("the example: %v", err)
	}
	var walk func(of reflect.Type, before string)
	walk = func(of reflect.Type, before string) {
		for i := range of.NumField() {
			key := before + of.Field(i).Tag.Get("json")
			if key == "-" {
				continue
			}
			if of.Field(i).Anonymous {
				walk(of.Field(i).Type, before)
				continue
			}
			if of.Field(i).Type.Kind() == reflect.Struct {
				walk(of.Field(i).Type, key+".")
			} else if !strings.Contains(string(page), "| `"+key+"` |") {
				t.Errorf("docs/targets.md lacks %s", key)
			}
		}
	}
	walk(reflect.TypeFor[Target](), "")
}
