package p

type P struct{ x, y *int }

type Q struct {
	P
	*R
	list []P
}

type R struct{ q *Q }

func literals(n *int) any {
	_ = P{n, nil}
	_ = []P{{x: n}, {}}
	_ = map[string]*P{"a": {y: n}}
	_ = [2]int{1, 2}
	_ = Other{a: n}
	q := &Q{P: P{}, list: nil}
	q.x, q.q = n, q
	_ = struct{ n *int }{n}
	type local struct{ p *P }
	return &local{&q.P}
}
