package p

import "net/http"

type S struct {
	p *S
	n int
}

var (
	table    = map[string]*S{}
	shared   *S
	one, two = both()
)

const limit, name = 3, "n"

func both() (*S, error) { return nil, nil }

func assign(s *S, v S, i any, ch chan *S) (result *S, err error) {
	var zero S
	var none *S
	copied := v
	*s = zero
	s.p, s.p.n = none, limit
	s.n += 2
	table["a"] = &copied
	table["b"].n++
	x, ok := table["c"]
	y, ok := i.(*S)
	z := i.(*S)
	w, ok := <-ch
	http.DefaultClient = nil
	shared, _ = both()
	_, _, _, _ = x, y, z, w
	if ok {
		result, err := both()
		return result, err
	}
	return
}
