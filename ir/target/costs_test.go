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
	of := reflect.TypeFor[Costs]()
	if len(listed) != of.NumField() {
		t.Errorf("%d costs are listed, of %d", len(listed), of.NumField())
	}
	for i := range of.NumField() {
		key := of.Field(i).Tag.Get("json")
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
