package presburger

import (
	"fmt"

	"github.com/irc-lang/irc/dialects/poly/presburger/internal/notation"
)

// String writes the set in isl's notation.
func (s Set) String() string { return notation.Relation(s.rel()) }

// String writes the map in isl's notation.
func (m Map) String() string { return notation.Relation(m.rel()) }

// ParseSet reads a set in isl's notation:
//
//	[N] -> { S[i, j] : 0 <= i < N and exists k : j = 2k; T[] }
func ParseSet(text string) (Set, error) {
	r, isMap, err := notation.Parse(text)
	if err != nil {
		return Set{}, err
	}
	if isMap {
		return Set{}, &SyntaxError{Text: text, Offset: 0, Msg: "this is a map; a set has no \"->\" between tuples"}
	}
	return Set{r}, nil
}

// ParseMap reads a map in isl's notation:
//
//	[N] -> { S[i] -> A[i + 1] : 0 <= i < N }
func ParseMap(text string) (Map, error) {
	r, isMap, err := notation.Parse(text)
	if err != nil {
		return Map{}, err
	}
	if !isMap && len(r.Parts) > 0 {
		return Map{}, &SyntaxError{Text: text, Offset: 0, Msg: "this is a set; a map relates two tuples with \"->\""}
	}
	return Map{r}, nil
}

// Parse reads a set or a map; an empty pair of braces is a set.
func Parse(text string) (s Set, m Map, isMap bool, err error) {
	r, isMap, err := notation.Parse(text)
	if isMap {
		return Set{}, Map{r}, true, err
	}
	return Set{r}, Map{}, false, err
}

// ParsePwMultiAff reads a function to tuples in isl's notation:
//
//	[N] -> { S[i, j] -> T[(i + floor(j/2)), (N)] : i >= 0; S[i, j] -> T[(0), (j)/3] : i < 0 }
//
// Where several disjuncts hold the values add up, as in isl.
func ParsePwMultiAff(text string) (PwMultiAff, error) {
	return pwMultiAff(notation.ParseFunction(text))
}

// ParsePwAff reads a function of one value in isl's notation:
//
//	[N] -> { S[i] -> [(min(i, N) mod 4)] : i >= 0 }
func ParsePwAff(text string) (PwAff, error) {
	f, err := notation.ParseFunction(text)
	if err == nil && (f.Out.Len() != 1 || f.Out.Name != "") && len(f.Pieces) > 0 {
		err = &SyntaxError{Text: text, Offset: 0, Msg: fmt.Sprintf("a piecewise affine function has one value without a name, not %s", f.Out.Text())}
	}
	return pwAff(f, err)
}

// ParseAff reads a function of one value that is defined everywhere.
func ParseAff(text string) (Aff, error) {
	f, err := ParsePwAff(text)
	if err != nil {
		return Aff{}, err
	}
	a, ok := f.AsAff()
	if !ok {
		return Aff{}, &SyntaxError{Text: text, Offset: 0, Msg: "an affine function has one piece without conditions"}
	}
	return a, nil
}

// ParseMultiAff reads a function to tuples that is defined everywhere.
func ParseMultiAff(text string) (MultiAff, error) {
	f, err := ParsePwMultiAff(text)
	if err != nil {
		return MultiAff{}, err
	}
	m, ok := f.AsMultiAff()
	if !ok {
		return MultiAff{}, &SyntaxError{Text: text, Offset: 0, Msg: "an affine function has one piece without conditions"}
	}
	return m, nil
}
