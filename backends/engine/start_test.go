package engine

import (
	"context"
	"errors"
	"testing"
)

// An idleEngine notes whether it was closed.
type idleEngine struct {
	Engine
	closed *int
}

func (e idleEngine) Close() error { *e.closed++; return nil }

// An engine that starts ahead has the options that were given first; it is closed unless
// it was taken, and an error comes to who takes it.
func TestAhead(t *testing.T) {
	closed, wrong := 0, error(nil)
	var life context.Context
	kind := &Kind{Name: "idle", Native: true, Start: func(ctx context.Context, o Options) (Engine, string, error) {
		life = ctx
		if o.Fuel != 7 {
			t.Errorf("fuel %d", o.Fuel)
		}
		return idleEngine{closed: &closed}, "why", wrong
	}}
	k, stop := kind.Prestart(t.Context(), Options{Fuel: 7})
	if e, why, err := k.Start(t.Context(), Options{}); e == nil || why != "why" || err != nil || k.Name != "idle" || !k.Native || life.Err() != nil {
		t.Errorf("%s: %v, %q, %v", k.Name, e, why, err)
	}
	if stop(); closed != 0 || life.Err() == nil {
		t.Errorf("taken: closed %d times, %v", closed, life.Err())
	}
	_, stop = kind.Prestart(t.Context(), Options{Fuel: 7})
	if stop(); closed != 1 || life.Err() == nil {
		t.Errorf("not taken: closed %d times, %v", closed, life.Err())
	}
	wrong = errors.New("no engine")
	k, stop = kind.Prestart(t.Context(), Options{Fuel: 7})
	if _, _, err := k.Start(t.Context(), Options{}); err != wrong {
		t.Errorf("error %v", err)
	}
	if stop(); closed != 1 {
		t.Errorf("closed %d times: there was none", closed)
	}
}
