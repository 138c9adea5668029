package files

import "os"

// lock takes no lock, for a folder has none here: what an irc leaves behind that was killed, its user removes.
func lock(*os.File) bool { return false }
