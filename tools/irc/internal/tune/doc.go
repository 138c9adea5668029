// Package tune searches for the options of passes with which a program is fastest: the sizes of tiles and how
// much is unrolled. It keeps what it finds in a file: by the program, the passes and the target. It measures
// nothing itself.
package tune
