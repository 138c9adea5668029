// Package prose measures the text that people read: docs, package docs, doc comments of
// exported names, and help.
//
// A sentence here is what stands between full stops, colons, semicolons, and the borders of
// list items, headings and paragraphs. Code spans, code blocks, tables and addresses are no
// words.
//
//	go test -count=1 -v ./tests/prose -run Sentences -args -list=dialects/bugs
//
// prints the long sentences of a folder.
package prose
