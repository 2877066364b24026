package shop

type Price struct{ cents int }

func writtenBad(found bool) {
	var prices map[string]int
	prices["tea"] = 3 // null.subscript
}

func writtenOk() {
	prices := make(map[string]int)
	prices["tea"] = 3
	more := map[string]int{}
	more["tea"]++
}

func readOk() int {
	var prices map[string]int
	for name := range prices {
		_ = name
	}
	delete(prices, "tea")
	return prices["tea"] + len(prices)
}

func laterBad(found bool) map[string]int {
	var prices map[string]int
	if found {
		prices = map[string]int{"tea": 1}
	}
	prices["tea"]++ // null.subscript
	return prices
}

func laterOk(found bool) map[string]int {
	var prices map[string]int
	if prices == nil {
		prices = map[string]int{}
	}
	prices["tea"]++
	return prices
}

type Shop struct {
	prices map[string]*Price
	names  []string
}

func fieldMapBad() {
	shop := &Shop{}
	shop.prices["tea"] = nil // null.subscript
}

func fieldMapOk() {
	shop := &Shop{prices: map[string]*Price{}}
	shop.prices["tea"] = nil
	shop.names = append(shop.names, "tea")
	shop.names[0] = "coffee"
}

func elementBad(prices map[string]*Price) int {
	price, ok := prices["tea"]
	if !ok {
		return price.cents // null.attribute
	}
	return price.cents
}

func elementOk(prices map[string]*Price) int {
	price, ok := prices["tea"]
	if !ok {
		return 0
	}
	return price.cents
}

func elementInIfOk(prices map[string]*Price) int {
	if price, ok := prices["tea"]; ok {
		return price.cents
	}
	return 0
}

func elementUncheckedBad(prices map[string]*Price) int {
	price, _ := prices["tea"]
	return price.cents // null.attribute
}

func elementTestedOk(prices map[string]*Price) int {
	price := prices["tea"]
	if price == nil {
		return 0
	}
	return price.cents + prices["coffee"].cents
}

func fnElementNull(prices map[string]*Price) int {
	if prices["tea"] == nil {
		return prices["tea"].cents // missed: null.attribute
	}
	return prices["tea"].cents
}

func rangeOverNilOk() int {
	var names []string
	sum := len(names) + cap(names)
	for _, name := range names {
		sum += len(name)
	}
	names = append(names, "tea")
	names[0] = "coffee"
	return sum + len(names[:0])
}

func sliceBad() {
	var names []string
	names[0] = "tea" // null.subscript
}

func arrayOk() int {
	var counts [3]int
	counts[0] = 1
	return counts[0]
}

func nestedOk() int {
	prices := map[string]map[string]*Price{"tea": {"green": {cents: 1}}}
	for _, inner := range prices {
		for _, price := range inner {
			return price.cents
		}
	}
	table := []*Price{{cents: 1}, {cents: 2}}
	return table[0].cents
}

func ranged(names []string) []string {
	for i := range names {
		names[i] = "tea"
	}
	return names
}

func rangedOk() []string {
	var names []string
	for i, name := range names {
		names[i] = name + "!"
		first := &names[0]
		*first = ""
	}
	return ranged(nil)
}

func rangedBad() {
	var names []string
	for range names {
		names = nil
	}
	names[0] = "tea" // null.subscript
}

func slicedOk(count int) []string {
	var names []string
	if cap(names) < count {
		names = make([]string, count)
	}
	names = names[:count]
	names[0] = "tea"
	return names
}

func countedOk() string {
	var names []string
	switch len(names) {
	case 0:
		return ""
	case 1:
		return names[0]
	}
	return names[1]
}

type queue []string

func (q *queue) next() string {
	first := (*q)[0]
	*q = (*q)[1:]
	return first
}

func (q queue) size() int { return len(q) }

func receiverOk() int {
	names := queue{"tea"}
	return len(names.next()) + names.size()
}
