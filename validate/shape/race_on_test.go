//go:build race

package shape

// raceDetector says that pools lose what is put into them at random, so that allocations cannot be counted.
const raceDetector = true
