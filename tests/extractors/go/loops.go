package p

func loops(m map[string]*int, s []*int, ch chan int, n int) {
	for i := 0; i < n; i++ {
		if i == 3 {
			continue
		}
		break
	}
	for n > 0 {
		n--
	}
outer:
	for k, v := range m {
		for range s {
			continue outer
		}
		for k = range ch {
			break outer
		}
		_ = v
	}
	for i := range n {
		_ = i
	}
	for {
		goto end
	}
end:
	n = 0
}
