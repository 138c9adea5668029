//go:build nojit || !linux || !(amd64 || arm64)

package jit

import (
	"context"
	"errors"
	"strings"
	"testing"
)

// Without the JIT everything says so, and nothing suggests an installation.
func TestStub(t *testing.T) {
	ServeIfChild()
	_, find := Find()
	_, start := Start(context.Background(), ChildOptions{})
	_, call := CallSlots(1, nil, nil)
	for _, err := range []error{find, start, call} {
		if !errors.Is(err, ErrMissing) || strings.Contains(err.Error(), "apt-get") {
			t.Errorf("error %v", err)
		}
	}
	if info := Doctor(); info.Found || !strings.Contains(info.Reason, "nojit") {
		t.Errorf("%+v", info)
	}
}
