package object_test

import (
	"bytes"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/cleave-project/cleave/core/object"
)

var update = flag.Bool("update", false, "write the golden files anew")

// record ties a kind of record to one value and its codec, so that each test runs over all of them.
type record struct {
	name   string
	value  any
	encode func(any) ([]byte, error)
	decode func([]byte) (any, error)
}

func recordOf[T any](name string, v T, enc func(T) ([]byte, error), dec func([]byte) (T, error)) record {
	return record{
		name: name, value: v,
		encode: func(v any) ([]byte, error) { return enc(v.(T)) },
		decode: func(b []byte) (any, error) { return dec(b) },
	}
}

// records has one value of each kind with every field set, and the least value of those that have one.
func records() []record {
	id := func(s string) object.ID { return object.Sum([]byte(s)) }
	doc := object.Document{
		Revision: id("bytes"), Bytes: 1234, MediaType: "text/markdown", Lang: "en", Title: "Größe", Titled: true,
		Encoding: "utf-8", Coords: object.CoordsExtracted, Plugin: object.PluginRef{Name: "markdown", Version: "1.2.0"},
		Contract: id("contract"),
		Policy: object.Policy{Strategy: "structural", MaxTokens: 400, Overlap: 40, Tokenizer: "cl100k_base",
			Oversize: "split", TargetTokens: 300},
		Meta: map[string]string{"b": "2", "aa": "1", "a": ""}, TextLen: 70_000, Text: []object.ID{id("t1"), id("t2")},
		Segments: []object.ID{id("s")}, Chunks: []object.ID{id("c")}, NumChunks: 1,
		Skips:    []object.Skip{{Span: object.Span{End: 3}, Reason: "bom"}},
		Warnings: []object.Warning{{Code: "control_characters", Message: "3 of them", Span: object.Span{Start: 5, End: 8}}},
		Cut:      []object.Span{{Start: 100, End: 5000}}, TokenizerHash: "ab12",
	}
	chunk := object.Chunk{
		Span: object.Span{Start: 10, End: 90}, StartLine: 2, EndLine: 7, Section: object.Span{Start: 4, End: 95},
		Kind: "section", Lang: "en", Breadcrumb: []string{"Guide", "Set-up"}, Unprefixed: 1,
		Context: []object.Context{{Span: object.Span{End: 4}, Role: "header"}},
		Dropped: []object.Context{{Span: object.Span{Start: 4, End: 9}, Role: "import"}},
		Tokens:  77, EmbedHash: id("e"), Words: id("w"), Page: 3, Attrs: map[string]string{"level": "2"},
	}
	item := func(path object.Path, e object.Entry) object.Item { return object.Item{Path: path, Entry: e} }
	leaf := object.Page{Items: []object.Item{
		item("docs/a.md", object.Entry{Doc: id("d1"), Bytes: 10, Chunks: 2, Modified: 1_700_000_000_000_000_001,
			Access: object.Access{Mode: 0o640, UID: 1000, GID: 100}, EffectiveFrom: "2026-01-01", EffectiveTo: "2026-12-31"}),
		item("docs/a\xff.md", object.Entry{State: object.StateFailed, Bytes: 5, Modified: -1}),
		item("z", object.Entry{Doc: id("d2"), State: object.StateStale}),
	}}
	inner := object.Page{Level: 2, Children: []object.Child{
		{Last: "docs/a\xff.md", Page: id("p1"), Items: 60, Counts: object.Counts{Documents: 59, Chunks: 400, Bytes: 1 << 40, Stale: 1, Failed: 1}},
		{Last: "docs/b", Page: id("p2"), Items: 1},
	}}
	return []record{
		recordOf("document", doc, object.EncodeDocument, object.DecodeDocument),
		recordOf("document-least", object.Document{}, object.EncodeDocument, object.DecodeDocument),
		recordOf("chunks", []object.Chunk{chunk, {}}, object.EncodeChunks, object.DecodeChunks),
		recordOf("segments", []object.Segment{{Text: object.Span{End: 5}, Source: object.Span{Start: 9, End: 30}, Page: 2, Cell: "B7"}, {}},
			object.EncodeSegments, object.DecodeSegments),
		recordOf("text", []byte("any bytes \xff\x00"), object.EncodeText, object.DecodeText),
		recordOf("leaf", leaf, object.EncodePage, object.DecodePage),
		recordOf("inner", inner, object.EncodePage, object.DecodePage),
		recordOf("generation", object.Generation{
			Source: "docs", Number: 7, Parent: id("g6"), Root: id("root"),
			Counts: object.Counts{Documents: 5, Chunks: 44, Bytes: 1 << 33, Stale: 1, Failed: 2},
			Delta:  object.Delta{Added: 1, Changed: 2, Moved: 3, Removed: 4, Metadata: 5},
			Time:   1_700_000_000_000_000_000, Reason: "timer", Complete: true,
		}, object.EncodeGeneration, object.DecodeGeneration),
	}
}

func encoded(t *testing.T, r record) []byte {
	t.Helper()
	data, err := r.encode(r.value)
	if err != nil {
		t.Fatalf("encode %s: %v", r.name, err)
	}
	return data
}

// The golden file of each kind and version stays readable, and its bytes stay what is written: hashes rest on them.
func TestGoldens(t *testing.T) {
	for _, r := range records() {
		t.Run(r.name, func(t *testing.T) {
			file, data := filepath.Join("testdata", r.name+".1.hex"), encoded(t, r)
			if *update {
				if err := os.WriteFile(file, []byte(wrap(hex.EncodeToString(data))), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			golden, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			want, err := hex.DecodeString(strings.Join(strings.Fields(string(golden)), ""))
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(want, data) {
				t.Errorf("encoding has changed:\n%s", wrap(hex.EncodeToString(data)))
			}
			got, err := r.decode(want)
			if err != nil || !cmp.Equal(r.value, got) {
				t.Errorf("golden reads as %s, %v", cmp.Diff(r.value, got), err)
			}
		})
	}
}

// wrap breaks hexadecimal digits into lines of 100.
func wrap(s string) string {
	var b strings.Builder
	for ; len(s) > 100; s = s[100:] {
		fmt.Fprintln(&b, s[:100])
	}
	fmt.Fprintln(&b, s)
	return b.String()
}

// A record is refused as any other kind, in another version, cut short, and with bytes behind it.
func TestDecodeRefuses(t *testing.T) {
	all := records()
	for _, r := range all {
		data := encoded(t, r)
		for n := range len(data) {
			if r.name == "text" && n > 2 {
				break // any bytes are a text
			}
			if _, err := r.decode(data[:n]); err == nil {
				t.Errorf("%s cut to %d bytes of %d is accepted", r.name, n, len(data))
			}
		}
		if r.name != "text" {
			if _, err := r.decode(append(bytes.Clone(data), 0)); err == nil {
				t.Errorf("%s with a byte behind it is accepted", r.name)
			}
		}
		other := bytes.Clone(data)
		other[1]++
		if _, err := r.decode(other); err == nil {
			t.Errorf("%s of version %d is accepted", r.name, other[1])
		}
		for _, q := range all {
			if foreign := encoded(t, q); foreign[0] != data[0] {
				if _, err := r.decode(foreign); err == nil && !(isPage(r.name) && isPage(q.name)) {
					t.Errorf("%s reads %s", r.name, q.name)
				}
			}
		}
	}
}

func isPage(name string) bool { return name == "leaf" || name == "inner" }

// Encodings that mean the same as the canonical one are refused: a value has one hash.
func TestDecodeRefusesOtherEncodings(t *testing.T) {
	const zeroID = "5820" + "0000000000000000000000000000000000000000000000000000000000000000"
	seg := func(s string) string { return "5301" + s }
	for name, c := range map[string]struct {
		hex    string
		decode func([]byte) error
		ok     bool
	}{
		"canonical":         {seg("81a201a20100020502a201000205"), segments, true},
		"long integer":      {seg("81a201a20100021805" + "02a201000205"), segments, false},
		"keys out of order": {seg("81a202a20100020501a201000205"), segments, false},
		"double key":        {seg("81a301a20100020501a20100020502a201000205"), segments, false},
		"unknown key":       {seg("81a301a20100020502a201000205" + "0900"), segments, false},
		"empty field":       {seg("81a301a20100020502a201000205" + "0300"), segments, false},
		"indefinite length": {seg("9fa201a20100020502a201000205ff"), segments, false},
		"tag":               {seg("c081a201a20100020502a201000205"), segments, false},
		"empty page":        {seg("80"), segments, false},
		"float for integer": {seg("81a201a201f90000020502a201000205"), segments, false},
		"leaf in order":     {"4c01828c004161" + zeroID + "0000000000000060608c004162" + zeroID + "0000000000000060" + "60", page, true},
		"leaf disordered":   {"4c01828c004162" + zeroID + "0000000000000060608c004161" + zeroID + "0000000000000060" + "60", page, false},
		"leaf loosely cut":  {"4c01828c004161" + zeroID + "0000000000000060608c00426162" + zeroID + "0000000000000060" + "60", page, false},
		"leaf shares more":  {"4c01828c004161" + zeroID + "0000000000000060608c024162" + zeroID + "0000000000000060" + "60", page, false},
		"leaf, short ID":    {"4c01818c00416141000000000000000000" + "6060", page, false},
		"inner of level 0":  {"4e018200818900416158200000000000000000000000000000000000000000000000000000000000000000" + "00000000000000", page, false},
	} {
		data, err := hex.DecodeString(c.hex)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.decode(data); (err == nil) != c.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func segments(b []byte) error { _, err := object.DecodeSegments(b); return err }
func page(b []byte) error     { _, err := object.DecodePage(b); return err }

// Strings that are no UTF-8 are refused when they are written, not found unreadable later.
func TestEncodeRefusesBadStrings(t *testing.T) {
	bad := "\xff"
	for i, err := range []error{
		second(object.EncodeDocument(object.Document{Title: bad})),
		second(object.EncodeDocument(object.Document{Meta: map[string]string{"k": bad}})),
		second(object.EncodeDocument(object.Document{Meta: map[string]string{bad: "v"}})),
		second(object.EncodeChunks([]object.Chunk{{Breadcrumb: []string{bad}}})),
		second(object.EncodeSegments([]object.Segment{{Cell: bad}})),
		second(object.EncodeGeneration(object.Generation{Reason: bad})),
		second(object.EncodePage(object.Page{Items: []object.Item{{Path: "p", Entry: object.Entry{EffectiveFrom: bad}}}})),
		second(object.EncodePage(object.Page{})),
		second(object.EncodePage(object.Page{Items: []object.Item{{Path: ""}}})),
		second(object.EncodePage(object.Page{Items: []object.Item{{Path: "b"}, {Path: "a"}}})),
		second(object.EncodeText(make([]byte, object.BlockSize+1))),
		second(object.EncodeChunks(make([]object.Chunk, object.ChunksPerPage+1))),
	} {
		if err == nil {
			t.Errorf("case %d: no error", i)
		}
	}
}

func second(_ []byte, err error) error { return err }

// Decode(Encode(x)) = x, and equal values have equal encodings whatever the order their maps were filled in.
func TestRoundTrip(t *testing.T) {
	span := rapid.Custom(func(t *rapid.T) object.Span {
		return object.Span{Start: rapid.Int64().Draw(t, "start"), End: rapid.Int64().Draw(t, "end")}
	})
	pairs := rapid.MapOfN(rapid.String(), rapid.String(), 1, 8)
	rapid.Check(t, func(t *rapid.T) {
		in := []object.Chunk{{
			Span: span.Draw(t, "span"), Kind: rapid.String().Draw(t, "kind"), Tokens: rapid.Int().Draw(t, "tokens"),
			Breadcrumb: rapid.SliceOfN(rapid.String(), 1, 4).Draw(t, "breadcrumb"), Attrs: pairs.Draw(t, "attrs"),
			EmbedHash: object.Sum([]byte(rapid.String().Draw(t, "hash"))),
		}}
		data, err := object.EncodeChunks(in)
		if err != nil {
			t.Fatal(err)
		}
		out, err := object.DecodeChunks(data)
		if err != nil || !cmp.Equal(in, out) {
			t.Fatalf("chunks: %v %s", err, cmp.Diff(in, out))
		}
		again := map[string]string{}
		for k, v := range in[0].Attrs {
			again[k] = v
		}
		in[0].Attrs = again
		if same, err := object.EncodeChunks(in); err != nil || !bytes.Equal(data, same) {
			t.Fatalf("equal values, other bytes: %v", err)
		}
	})
}

func TestChunkID(t *testing.T) {
	base := object.ChunkID("t", "docs", "a/b", object.ID{1}, 2, 30)
	// SHA-256 of the framed parts, computed apart from this program. Chunk IDs leave the house: they never change.
	if got, want := base.String(), "731bc61a8553b9eb01e303fa3c1cedab80853ab3d114e83921a8bc0f8c63513c"; got != want {
		t.Errorf("chunk ID %s, want %s", got, want)
	}
	for name, other := range map[string]object.ID{
		"tenant": object.ChunkID("", "docs", "a/b", object.ID{1}, 2, 30), "source": object.ChunkID("t", "doc", "a/b", object.ID{1}, 2, 30),
		"path": object.ChunkID("t", "docs", "a/c", object.ID{1}, 2, 30), "document": object.ChunkID("t", "docs", "a/b", object.ID{2}, 2, 30),
		"start": object.ChunkID("t", "docs", "a/b", object.ID{1}, 3, 30), "end": object.ChunkID("t", "docs", "a/b", object.ID{1}, 2, 31),
		"framing": object.ChunkID("td", "ocs", "a/b", object.ID{1}, 2, 30), "framing of path": object.ChunkID("t", "docsa", "/b", object.ID{1}, 2, 30),
	} {
		if other == base {
			t.Errorf("another %s gives the same ID", name)
		}
	}
}

// Whatever is accepted is the canonical encoding of what it was read as.
func FuzzDecode(f *testing.F) {
	for _, r := range records() {
		data, err := r.encode(r.value)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, r := range records() {
			v, err := r.decode(data)
			if err != nil {
				continue
			}
			again, err := r.encode(v)
			if err != nil || !bytes.Equal(again, data) {
				t.Fatalf("%s accepts %x, but writes %x, %v", r.name, data, again, err)
			}
		}
	})
}
