package control

import (
	"net/url"
	"slices"
	"strconv"
	"time"
)

// form reads or writes a request's fields as URL parameters, so that one list of fields serves both ends. Parameters
// are percent-encoded bytes, so a path need not be UTF-8. A field that is zero is not written.
type form struct {
	values  url.Values
	writing bool
	known   []string
	err     *Error
}

// fielder is a request: it names each of its fields to a form.
type fielder interface{ fields(f *form) }

// values writes r.
func values(r fielder) url.Values {
	f := form{values: url.Values{}, writing: true}
	r.fields(&f)
	return f.values
}

// parse fills r and checks it. An unknown parameter is an error, so that a misspelt filter does not widen an answer.
func parse(v url.Values, r fielder) error {
	f := form{values: v}
	r.fields(&f)
	if f.err != nil {
		return f.err
	}
	for name := range v {
		if !slices.Contains(f.known, name) {
			slices.Sort(f.known)
			return Usage("unknown parameter %q (known: %v)", name, f.known)
		}
	}
	if c, ok := r.(checker); ok {
		return c.Check()
	}
	return nil
}

// take notes a field and tells whether there is a value to read.
func (f *form) take(name string) (string, bool) {
	f.known = append(f.known, name)
	if f.writing || !f.values.Has(name) {
		return "", false
	}
	return f.values.Get(name), true
}

func (f *form) fail(name, value, want string) {
	f.err = Usage("%s=%q: not %s", name, value, want)
}

func (f *form) text(name string, p *string) {
	if s, ok := f.take(name); ok {
		*p = s
	} else if f.writing && *p != "" {
		f.values.Set(name, *p)
	}
}

func (f *form) list(name string, p *[]string) {
	if _, ok := f.take(name); ok {
		*p = f.values[name]
	} else if f.writing && len(*p) > 0 {
		f.values[name] = *p
	}
}

func (f *form) flag(name string, p *bool) {
	if s, ok := f.take(name); ok {
		b, err := strconv.ParseBool(s)
		if err != nil {
			f.fail(name, s, "true or false")
		}
		*p = b
	} else if f.writing && *p {
		f.values.Set(name, "true")
	}
}

func (f *form) number(name string, p *int) {
	if s, ok := f.take(name); ok {
		n, err := strconv.Atoi(s)
		if err != nil {
			f.fail(name, s, "a whole number")
		}
		*p = n
	} else if f.writing && *p != 0 {
		f.values.Set(name, strconv.Itoa(*p))
	}
}

// option is a number whose zero means something, so that not given is a value of its own.
func (f *form) option(name string, p **int) {
	if _, ok := f.take(name); ok {
		n := new(int)
		f.number(name, n)
		*p = n
	} else if f.writing && *p != nil {
		f.values.Set(name, strconv.Itoa(**p))
	}
}

func (f *form) counter(name string, p *uint64) {
	if s, ok := f.take(name); ok {
		n, err := strconv.ParseUint(s, 10, 64)
		if err != nil {
			f.fail(name, s, "a generation number")
		}
		*p = n
	} else if f.writing && *p != 0 {
		f.values.Set(name, strconv.FormatUint(*p, 10))
	}
}

func (f *form) span(name string, p *time.Duration) {
	if s, ok := f.take(name); ok {
		d, err := time.ParseDuration(s)
		if err != nil {
			f.fail(name, s, `a duration like "5s"`)
		}
		*p = d
	} else if f.writing && *p != 0 {
		f.values.Set(name, p.String())
	}
}
