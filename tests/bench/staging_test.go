package main

import (
	"testing"

	engine "github.com/irc-lang/irc/ir/stage"
)

// The programs of the row staging take as many executions as are said there, of which BuildIt takes more; a prophecy that grows costs
// fewer than where the paper begins again.
func TestStaged(t *testing.T) {
	for _, p := range stagedPrograms {
		stats, err := staged(t.Context(), &p, engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if stats.Runs != p.runs || stats.Runs >= p.buildIt || stats.Restarts != p.restarts || stats.Restarts > p.papers {
			t.Errorf("%s: %d executions, %d of them restarts, want %d and %d; BuildIt has %d and %d", p.name, stats.Runs, stats.Restarts, p.runs, p.restarts, p.buildIt, p.papers)
		}
		anew, err := staged(t.Context(), &p, engine.Options{Restart: true})
		if err != nil {
			t.Fatal(err)
		}
		if p.restarts > 0 && (anew.Runs <= stats.Runs || anew.Steps <= stats.Steps || anew.Restarts != stats.Restarts) || p.restarts == 0 && anew != stats {
			t.Errorf("%s: %v, from the beginning at each restart %v", p.name, stats, anew)
		}
	}
}
