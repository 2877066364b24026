package shop

import "regexp"

var pattern = regexp.MustCompile(`(\w+)=(\w+)`)

func names(given bool) []string {
	if given {
		return []string{"tea", "coffee"}
	}
	return nil
}

func firstBad() string {
	return names(false)[0] // null.subscript
}

func firstOk() string {
	found := names(false)
	if len(found) > 0 {
		return found[0]
	}
	return ""
}

func keyBad(text string) string {
	found := pattern.FindStringSubmatch(text)
	return found[1] // null.subscript
}

func keyOk(text string) string {
	found := pattern.FindStringSubmatch(text)
	if found == nil {
		return ""
	}
	return found[1]
}

func keyByLengthOk(text string) string {
	found := pattern.FindStringSubmatch(text)
	if len(found) != 3 {
		return ""
	}
	return found[1]
}

func keyTooShortOk(text string) string {
	found := pattern.FindStringSubmatch(text)
	if len(found) < 2 {
		return ""
	}
	return found[1]
}

func keyEmptyBad(text string) string {
	found := pattern.FindStringSubmatch(text)
	if len(found) == 0 {
		return found[1] // null.subscript
	}
	return found[1]
}

func localPatternBad(text string) []byte {
	local := regexp.MustCompile("a")
	return local.FindSubmatch([]byte(text))[0] // null.subscript
}

func localPatternOk(text string) []byte {
	local := regexp.MustCompile("a")
	if found := local.FindSubmatch([]byte(text)); len(found) >= 1 {
		return found[0]
	}
	return nil
}

func countedOk(found []string) (all string) {
	if len(found) == 0 {
		found = nil
	}
	for i := 0; i < len(found); i++ {
		all += found[i]
	}
	for i := range found {
		all += found[i]
	}
	return all
}
