//go:build !race

package shape

const raceDetector = false
