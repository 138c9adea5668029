package models_test

import (
	"encoding/json"
	"strings"
	"testing"
)

// The same data in every format, and in several files, give the same density.
func TestFormats(t *testing.T) {
	const dir = "testdata/formats/"
	var want logps
	for i, files := range []string{"all.json", "dump.R", "calls.R", "assign.R", "object.R", "dput.R", "list.txt", "table.txt", "columns.csv rest.R", "columns.csv rest.csv", "rest.R columns.csv"} {
		args := []string{"logdensity", "-json", "-engine=eval", "-inits=" + dir + "inits.json"}
		for _, f := range strings.Fields(files) {
			args = append(args, "-data="+dir+f)
		}
		var got logps
		if err := json.Unmarshal([]byte(irc(t, append(args, dir+"model.bug")...)), &got); err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			want = got
		}
		if got.Logp != want.Logp || got.LogpObserved != want.LogpObserved || got.Observed != 5 || got.Parameters+got.Generated != 6 {
			t.Errorf("%s: %+v, want %+v", files, got, want)
		}
	}
	against(t, example{name: "formats", program: dir + "model.bug", data: dir + "all.json", inits: dir + "inits.json"}, 3)
}
