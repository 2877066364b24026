package p

func branches(p, q *int, n int) bool {
	if p == nil || !(q != nil && n > 1) {
		return n >= 2
	}
	kept := p != nil && q == nil
	open := kept && *p == 1
	return open
}

func lengths(s []int) int {
	if len(s) > 0 {
		return s[0]
	} else if n := len(s); n != 0 {
		return n
	}
	return 0
}
