package resources

import (
	"bufio"
	"encoding/json"
	"io"
	"net"
	"os"
)

type Store struct {
	file *os.File
}

// Ways out on which nothing closes.

func earlyReturnBad(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	scanner := bufio.NewScanner(file)
	if !scanner.Scan() {
		return nil // resource.unclosed
	}
	return file.Close()
}

func neverClosedBad(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(file) // resource.unclosed
}

func secondFailsBad(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	out, err := os.Create(to)
	if err != nil {
		return err // resource.unclosed
	}
	defer in.Close()
	defer out.Close()
	_, err = io.Copy(out, in)
	return err
}

func dialledBad(address string) error {
	connection, err := net.Dial("tcp", address)
	if err != nil {
		return err
	}
	_, err = connection.Write([]byte("x"))
	return err // resource.unclosed
}

func openIt(path string) (*os.File, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	return file, nil
}

func ownFunctionBad(path string) error {
	file, err := openIt(path)
	if err != nil {
		return err
	}
	_, err = file.Stat()
	return err // resource.unclosed
}

// What closes.

func deferredOk(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(file)
}

func deferredFunctionOk(path string) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	_, err = file.WriteString("x")
	return err
}

func closedOnEachWayOk(path string) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	if _, err := file.WriteString("x"); err != nil {
		file.Close()
		return err
	}
	return file.Close()
}

func otherTestOk(path string) int {
	file, err := os.Open(path)
	if err == nil {
		defer file.Close()
		return 1
	}
	return 0
}

func triedAgainOk(path string) error {
	file, err := os.Create(path)
	if os.IsNotExist(err) {
		file, err = os.Create("other")
	}
	if err != nil {
		return err
	}
	return file.Close()
}

func panicOk(path string) {
	file, err := os.Open(path)
	if err != nil {
		panic(err)
	}
	if _, err := file.Stat(); err != nil {
		panic(err)
	}
	file.Close()
}

// Who else may close it.

func returnedOk(path string) (*os.File, error) {
	return os.Open(path)
}

func viewReturnedOk(path string) (*json.Decoder, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	return json.NewDecoder(file), nil
}

func storedOk(path string) (*Store, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	return &Store{file: file}, nil
}

func passedOnOk(path string, consume func(*os.File)) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	go consume(file)
	return nil
}

func itsMethodOk(path string, cleanup func(func() error)) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	cleanup(file.Close)
	return nil
}
