package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/irc-lang/irc/tools/irc/internal/jsontext"
)

// Version is the version of irc; a build may set it with -ldflags.
var Version = "0.1.0"

// commit is the one that was built, "" if it is not known.
func commit() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, kv := range info.Settings {
			if kv.Key == "vcs.revision" && len(kv.Value) >= 12 {
				return kv.Value[:12]
			}
		}
	}
	return ""
}

// versionText is the version with the commit that was built, if known.
func versionText() string {
	if c := commit(); c != "" {
		return Version + " (" + c + ")"
	}
	return Version
}

func version(s *Session) error {
	if s.Flag("json") {
		return s.WriteJSON(jsontext.Fields("irc", Version, "commit", commit(), "go", runtime.Version(), "os", runtime.GOOS, "arch", runtime.GOARCH))
	}
	_, err := fmt.Fprintf(s.Stdout, "irc %s, %s %s/%s\n", versionText(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}
