package finding

// The codes of the Racktic family.
const (
	RackticEpisodeRepeated Code = "racktic/episode-repeated"
	RackticEpisodeExcluded Code = "racktic/episode-excluded"
	RackticEpisodeUnknown  Code = "racktic/episode-unknown"
	RackticEpisodeOrder    Code = "racktic/episode-order"
	RackticEpisodeDiffers  Code = "racktic/episode-differs"
	RackticContent         Code = "racktic/alchemy-content"
	RackticStreamLayout    Code = "racktic/stream-layout"
	RackticStreamLabel     Code = "racktic/stream-label"
	RackticStreamStrategy  Code = "racktic/stream-strategy"
	RackticStreamTier      Code = "racktic/stream-tier"
	RackticStreamOrder     Code = "racktic/stream-order"
	RackticStreamIndex     Code = "racktic/stream-index"
	RackticStreamPrompt    Code = "racktic/stream-prompt"
	RackticTierOrder       Code = "racktic/tier-order"
	RackticRepoHeldOut     Code = "racktic/repo-held-out"
	RackticIssueRepeated   Code = "racktic/issue-repeated"
	RackticIssueMissing    Code = "racktic/issue-missing"
	RackticTaskUnused      Code = "racktic/task-unused"
	RackticTaskRepeated    Code = "racktic/task-repeated"
	RackticTaskRepo        Code = "racktic/task-repo"
	RackticTaskBranch      Code = "racktic/task-branch"
	RackticTaskImage       Code = "racktic/task-image"
	RackticTaskStrategy    Code = "racktic/task-strategy"
	RackticTaskTier        Code = "racktic/task-tier"
	RackticTaskCount       Code = "racktic/task-count"
	RackticTaskOverlap     Code = "racktic/task-overlap"
	RackticTestPatch       Code = "racktic/test-patch"
	RackticTaskPatch       Code = "racktic/task-patch"
	RackticTaskFile        Code = "racktic/task-file"
	RackticAbsolutePath    Code = "racktic/absolute-path"
)

// rackticTable is the part of the table about Racktic.
var rackticTable = []Info{
	{RackticEpisodeRepeated, Error, "two streams of one episode"},
	{RackticEpisodeExcluded, Error, "a training stream of an episode that is kept for evaluation"},
	{RackticEpisodeUnknown, Error, "a stream of an episode that the side table does not have"},
	{RackticEpisodeOrder, Error, "streams of alchemy do not go from easy to hard"},
	{RackticEpisodeDiffers, Error, "side tables say different things of one episode"},
	{RackticContent, Error, "a row holds content of the environment"},
	{RackticStreamLayout, Error, "a stream is not six issues of one repository and six of another"},
	{RackticStreamLabel, Error, "an issue is of another repository than its label"},
	{RackticStreamStrategy, Error, "a strategy is not that of its issue"},
	{RackticStreamTier, Error, "a stream does not have the issues of its tier"},
	{RackticStreamOrder, Error, "a half of a stream does not go from easy to hard"},
	{RackticStreamIndex, Error, "a stream is not numbered by its place"},
	{RackticStreamPrompt, Error, "the text of a stream names another one"},
	{RackticTierOrder, Error, "tiers are out of order"},
	{RackticRepoHeldOut, Error, "a stream of a repository that is held out"},
	{RackticIssueRepeated, Error, "an issue stands in two streams"},
	{RackticIssueMissing, Error, "an issue of a stream is no task"},
	{RackticTaskUnused, Error, "a task that no stream has"},
	{RackticTaskRepeated, Error, "two tasks of one issue"},
	{RackticTaskRepo, Error, "a task names another repository than its id"},
	{RackticTaskBranch, Error, "base_commit is not the branch of the issue"},
	{RackticTaskImage, Error, "image_name is not the image of the repository"},
	{RackticTaskStrategy, Error, "the strategy of a task is not that of its id"},
	{RackticTaskTier, Error, "the tier of a task is not that of its strategy"},
	{RackticTaskCount, Error, "a number of tests is not the length of its list"},
	{RackticTaskOverlap, Error, "a test has to pass before and fails before"},
	{RackticTaskFile, Error, "a test to keep is in a file without a test to fix"},
	{RackticTestPatch, Error, "test_patch is no unified diff"},
	{RackticTaskPatch, Warning, "a task holds a patch"},
	{RackticAbsolutePath, Error, "a path of some machine in a task"},
}
