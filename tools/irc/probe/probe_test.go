package probe

import (
	"context"
	"errors"
	"os"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/ir/target"
)

func TestMain(m *testing.M) {
	engine.ServeIfChild()
	os.Exit(m.Run())
}

// This machine does something in a second, and what is nearer to a core comes to it faster.
func TestMeasured(t *testing.T) {
	host := *target.Host()
	host.Caches = []int64{32 << 10, 1 << 20} // memory of 4 MiB is soon there
	m, err := Measured(context.Background(), &host)
	var missing *engine.UnavailableError
	if errors.As(err, &missing) {
		t.Skip("measuring wants libLLVM: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%.3g operations a second; bytes a second from behind each cache: %.3g", m.PeakFlops, m.Bandwidth)
	if m.PeakFlops < 1e8 || m.PeakFlops > 1e13 || len(m.Bandwidth) != 2 || m.Bandwidth[0] < 1e8 || m.Bandwidth[1] > 2*m.Bandwidth[0] {
		t.Errorf("%.3g operations a second, %.3g bytes", m.PeakFlops, m.Bandwidth)
	}
	if err := m.Check(); err != nil {
		t.Error(err)
	}
	if again, err := Measured(context.Background(), m); err != nil || again != m {
		t.Errorf("what is known is measured again: %v", err)
	}
	if host.PeakFlops != 0 || host.Bandwidth != nil {
		t.Error("the target given was changed")
	}
}
