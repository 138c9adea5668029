// Package catalog describes passes and dialects, from the tables that the layers
// themselves use: as text for people, as what -json encodes, and as the generated
// pages of the documentation.
package catalog
