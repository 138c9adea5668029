module example.org/mistakes

go 1.26.0

require github.com/irc-lang/irc v0.0.0

replace github.com/irc-lang/irc => ../../../..
