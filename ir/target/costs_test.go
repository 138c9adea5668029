package target

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// Every cost is listed, has a usual value, is read from JSON and has to be positive.
func TestCosts(t *testing.T) {
	listed := map[string]float64{}
	for _, c := range usual.all() {
		listed[strings.TrimPrefix(c.key, "costs.")] = c.value
	}
	var keys []string
	for _, f := range reflect.VisibleFields(reflect.TypeFor[Costs]()) {
		if !f.Anonymous {
			keys = append(keys, f.Tag.Get("json"))
		}
	}
	if len(listed) != len(keys) {
		t.Errorf("%d costs are listed, of %d", len(listed), len(keys))
	}
	for _, key := range keys {
		if listed[key] <= 0 {
			t.Errorf("%s is usually %v", key, listed[key])
		}
		if _, err := Read("x.json", fmt.Appendf(nil, `{"costs": {%q: -1}}`, key)); err == nil || !strings.Contains(err.Error(), "costs."+key+" is -1") {
			t.Errorf("%s of -1: %v", key, err)
		}
		x, err := Read("x.json", fmt.Appendf(nil, `{"costs": {%q: 1}}`, key))
		if err != nil {
			t.Errorf("%s of 1: %v", key, err)
			continue
		}
		data, err := json.Marshal(x.Costs)
		if err != nil || !strings.Contains(string(data), fmt.Sprintf(`%q:1`, key)) {
			t.Errorf("%s of 1 is written %s, %v", key, data, err)
		}
	}
}
