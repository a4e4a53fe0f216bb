package finding

import (
	"slices"
	"sync"
)

// Code names a kind of finding: a slug with its area, stable for ever.
type Code string

// Info is what the table says of a code.
type Info struct {
	Code     Code
	Severity Severity
	// Title says in half a line what is wrong.
	Title string
}

// Codes returns the table of all codes, area by area.
func Codes() []Info { return slices.Clone(table()) }

// Lookup finds a code in the table.
func Lookup(code Code) (Info, bool) {
	for _, info := range table() {
		if info.Code == code {
			return info, true
		}
	}
	return Info{}, false
}

// Severity is the code's usual severity. A code that is not in the table is an error, which a test refuses.
func (c Code) Severity() Severity {
	if info, ok := Lookup(c); ok {
		return info.Severity
	}
	return Error
}

// The codes, by area.
const (
	JSONSyntax            Code = "json/syntax"
	JSONUTF8              Code = "json/utf8"
	JSONBOM               Code = "json/bom"
	JSONDuplicateKey      Code = "json/duplicate-key"
	JSONSeveralValues     Code = "json/several-values"
	JSONNaN               Code = "json/nan"
	JSONLoneSurrogate     Code = "json/lone-surrogate"
	JSONNumberRange       Code = "json/number-range"
	JSONDepth             Code = "json/depth"
	JSONRowNotObject      Code = "json/row-not-object"
	JSONBlankLine         Code = "json/blank-line"
	JSONCRLF              Code = "json/crlf"
	JSONLinesInJSON       Code = "json/lines-in-json"
	CSVRaggedRow          Code = "csv/ragged-row"
	CSVHeader             Code = "csv/header"
	CSVQuote              Code = "csv/quote"
	CSVUTF8               Code = "csv/utf8"
	CSVBOM                Code = "csv/bom"
	CSVCRLF               Code = "csv/crlf"
	ParquetUnreadable     Code = "parquet/unreadable"
	ParquetText           Code = "parquet/text"
	ParquetNaN            Code = "parquet/nan"
	RowsCorrupt           Code = "rows/corrupt"
	RowsFormatNotRead     Code = "rows/format-not-read"
	RowsTooLong           Code = "rows/too-long"
	SchemaUnreadable      Code = "schema/unreadable"
	SchemaDraft           Code = "schema/draft"
	SchemaKeywordMisspelt Code = "schema/keyword-misspelt"
	SchemaKeywordUnknown  Code = "schema/keyword-unknown"
	SchemaKeywordValue    Code = "schema/keyword-value"
	SchemaKeywordNoEffect Code = "schema/keyword-no-effect"
	SchemaPatternInvalid  Code = "schema/pattern-invalid"
	SchemaRef             Code = "schema/ref"
	SchemaRowNotJudged    Code = "schema/row-not-judged"
	LoaderEmptySplit      Code = "loader/empty-split"
	LoaderNoSuchFile      Code = "loader/no-such-file"
	LoaderUnclaimedFile   Code = "loader/unclaimed-file"
	LoaderShards          Code = "loader/shards"
	LoaderShardsMixed     Code = "loader/shards-mixed"
	LoaderNoData          Code = "loader/no-data"
	LoaderDefaultConfig   Code = "loader/default-config"
	LoaderOneBuilder      Code = "loader/one-builder"
	LoaderFileTwice       Code = "loader/file-twice"
	LoaderFieldNotRead    Code = "loader/field-not-read"
	LoaderParquetSchemas  Code = "loader/parquet-schemas"
	LoaderParquetType     Code = "loader/parquet-type"
	LoaderParquetRowGroup Code = "loader/parquet-row-group"
	LoaderSplitName       Code = "loader/split-name"
	LoaderColumnsDiffer   Code = "loader/columns-differ"
	LoaderFieldsDiffer    Code = "loader/fields-differ"
	LoaderTypeChanges     Code = "loader/type-changes"
	LoaderNullFirst       Code = "loader/null-first"
	LoaderNullColumn      Code = "loader/null-column"
	LoaderMixedKinds      Code = "loader/mixed-kinds"
	LoaderKeysDiffer      Code = "loader/keys-differ"
	LoaderTimestamps      Code = "loader/timestamps"
	LoaderValuesChange    Code = "loader/values-change"
	LoaderBigInteger      Code = "loader/big-integer"
	LoaderNumberRange     Code = "loader/number-range"
	LoaderLeadingZeros    Code = "loader/leading-zeros"
	LoaderMissingText     Code = "loader/missing-text"
	LoaderNameMisleads    Code = "loader/name-misleads"
	LoaderAgentTrace      Code = "loader/agent-trace"
	LoaderBlankFirst      Code = "loader/blank-first"
	LoaderArrayPlace      Code = "loader/array-place"
	LoaderArrayWrapped    Code = "loader/array-wrapped"
	LoaderFieldMissing    Code = "loader/field-missing"
	LoaderNesting         Code = "loader/nesting"
	StatisticsOneValue    Code = "statistics/one-value"
	StatisticsInfinite    Code = "statistics/infinite"
	StatisticsEdges       Code = "statistics/edges"
	StatisticsTwoEdges    Code = "statistics/two-edges"
	StatisticsLabelIDs    Code = "statistics/label-ids"
	StatisticsLongDigits  Code = "statistics/long-digits"
	StatisticsNotMeasured Code = "statistics/not-measured"
	HygieneLFSPointer     Code = "hygiene/lfs-pointer"
	PublishPlainTooBig    Code = "publish/plain-too-big"
	PublishPath           Code = "publish/path"
	PublishSymlink        Code = "publish/symlink"
	PublishTokenInURL     Code = "publish/token-in-url"
	PublishAttributes     Code = "publish/attributes"
	PublishRemoteDiffers  Code = "publish/remote-differs"
	LicenseDisagree       Code = "license/disagree"
	ManifestYAML          Code = "manifest/yaml"
	ManifestDuplicateKey  Code = "manifest/duplicate-key"
	ManifestUnknownKey    Code = "manifest/unknown-key"
	ManifestValue         Code = "manifest/value"
	ManifestMissing       Code = "manifest/missing"
	ManifestNotEvaluated  Code = "manifest/not-evaluated"
	CardFrontMatter       Code = "card/front-matter"
	CardDuplicateKey      Code = "card/duplicate-key"
	CardConfigs           Code = "card/configs"
	CardLicenseUnknown    Code = "card/license-unknown"
	CardYAML11            Code = "card/yaml-1-1"
	CardType              Code = "card/type"
	CardBlank             Code = "card/blank"
	CardPluralKey         Code = "card/plural-key"
	CardKeyMisspelt       Code = "card/key-misspelt"
	CardLanguage          Code = "card/language"
	CardValueUnknown      Code = "card/value-unknown"
	CardRepoID            Code = "card/repo-id"
	CardSizeCategory      Code = "card/size-category"
	CardSizeDiffers       Code = "card/size-differs"
	CardLicenseMissing    Code = "card/license-missing"
	CardLicenseOther      Code = "card/license-other"
	CardLicenseIgnored    Code = "card/license-ignored"
	CardDatasetInfo       Code = "card/dataset-info"
	CardConfigUnknown     Code = "card/config-unknown"
	CardSplitsDiffer      Code = "card/splits-differ"
	CardNumExamples       Code = "card/num-examples"
	CardBytesDiffer       Code = "card/bytes-differ"
	CardFeatures          Code = "card/features"
	CardFeaturesDiffer    Code = "card/features-differ"
	CardModelIndex        Code = "card/model-index"
	CardUTF8              Code = "card/utf8"
	CardMarkers           Code = "card/markers"
	CardOutOfDate         Code = "card/out-of-date"
	CardMissing           Code = "card/missing"
	CardTemplate          Code = "card/template"
	CardAdapter           Code = "card/adapter"
	CardCroissant         Code = "card/croissant"
	CardHubRefuses        Code = "card/hub-refuses"
	CardHubWarns          Code = "card/hub-warns"
	LockMissing           Code = "lock/missing"
	LockDrift             Code = "lock/drift"
	LockUnreadable        Code = "lock/unreadable"
)

// The codes of the license graph.
const (
	LicenseShareAlike      Code = "license/share-alike"
	LicenseNonCommercial   Code = "license/non-commercial"
	LicenseNoDerivatives   Code = "license/no-derivatives"
	LicenseBaseModel       Code = "license/base-model"
	LicenseBaseModelName   Code = "license/base-model-name"
	LicenseAttribution     Code = "license/attribution"
	LicenseNotice          Code = "license/notice"
	LicenseToolTerms       Code = "license/tool-terms"
	LicenseUpstreamUnknown Code = "license/upstream-unknown"
	LicenseUpstreamDiffers Code = "license/upstream-differs"
	LicenseStatus          Code = "license/status"
	LicenseRow             Code = "license/row"
)

// The codes of what must not leave the house.
const (
	HygieneSecret     Code = "hygiene/secret"
	HygieneLocalPath  Code = "hygiene/local-path"
	HygienePersonal   Code = "hygiene/personal-data"
	HygieneForbidden  Code = "hygiene/forbidden-content"
	HygieneLeftover   Code = "hygiene/leftover"
	HygieneNotScanned Code = "hygiene/not-scanned"
)

// The codes of a row that breaks a keyword of its JSON Schema.
const (
	SchemaType                 Code = "schema/type"
	SchemaEnum                 Code = "schema/enum"
	SchemaConst                Code = "schema/const"
	SchemaRequired             Code = "schema/required"
	SchemaAdditionalProperties Code = "schema/additional-properties"
	SchemaPropertyNames        Code = "schema/property-names"
	SchemaMinProperties        Code = "schema/min-properties"
	SchemaMaxProperties        Code = "schema/max-properties"
	SchemaDependencies         Code = "schema/dependencies"
	SchemaMinItems             Code = "schema/min-items"
	SchemaMaxItems             Code = "schema/max-items"
	SchemaAdditionalItems      Code = "schema/additional-items"
	SchemaUniqueItems          Code = "schema/unique-items"
	SchemaContains             Code = "schema/contains"
	SchemaMinLength            Code = "schema/min-length"
	SchemaMaxLength            Code = "schema/max-length"
	SchemaPattern              Code = "schema/pattern"
	SchemaFormat               Code = "schema/format"
	SchemaMinimum              Code = "schema/minimum"
	SchemaExclusiveMinimum     Code = "schema/exclusive-minimum"
	SchemaMaximum              Code = "schema/maximum"
	SchemaExclusiveMaximum     Code = "schema/exclusive-maximum"
	SchemaMultipleOf           Code = "schema/multiple-of"
	SchemaAnyOf                Code = "schema/any-of"
	SchemaOneOf                Code = "schema/one-of"
	SchemaNot                  Code = "schema/not"
	SchemaFalse                Code = "schema/false"
	SchemaIntegerAsFloat       Code = "schema/integer-as-float"
)

// table holds all codes, area by area.
var table = sync.OnceValue(func() []Info {
	return slices.Concat(generalTable, ruleTable, claimTable, clerkTable, memgymTable, reproduceTable, rackticTable, umbTable)
})

var generalTable = []Info{
	{JSONSyntax, Error, "the text is not JSON"},
	{JSONUTF8, Error, "bytes that are not UTF-8"},
	{JSONBOM, Warning, "the file starts with a byte order mark"},
	{JSONDuplicateKey, Error, "an object has the same key twice"},
	{JSONSeveralValues, Error, "more than one value on a line"},
	{JSONNaN, Error, "NaN or Infinity stands for a number"},
	{JSONLoneSurrogate, Error, "half of a surrogate pair in a string"},
	{JSONNumberRange, Error, "a number that no reader can hold"},
	{JSONDepth, Error, "values nested too deeply"},
	{JSONRowNotObject, Error, "a row is not an object"},
	{JSONBlankLine, Warning, "a blank line between rows"},
	{JSONCRLF, Warning, "lines end with CR LF"},
	{JSONLinesInJSON, Note, "a .json file holds JSON Lines"},
	{CSVRaggedRow, Error, "a row has more or fewer cells than the header"},
	{CSVHeader, Error, "the header is missing, or names a column twice or not at all"},
	{CSVQuote, Error, "a quote that does not open or close a cell"},
	{CSVUTF8, Error, "bytes that are not UTF-8"},
	{CSVBOM, Warning, "a byte order mark stands before the header"},
	{CSVCRLF, Note, "lines end with CR LF"},
	{ParquetUnreadable, Error, "a Parquet file, or a part of it, cannot be read"},
	{ParquetText, Error, "a column of texts holds bytes that are not UTF-8"},
	{ParquetNaN, Note, "a float that is no number"},
	{RowsCorrupt, Error, "a compressed file cannot be unpacked"},
	{RowsFormatNotRead, Warning, "the format of a data file is not read yet"},
	{RowsTooLong, Error, "a row is too long to be read"},
	{SchemaUnreadable, Error, "the schema cannot be used"},
	{SchemaDraft, Error, "the schema is of a draft that is not applied"},
	{SchemaKeywordMisspelt, Warning, "an unknown schema keyword close to a known one"},
	{SchemaKeywordUnknown, Note, "an unknown schema keyword"},
	{SchemaKeywordValue, Error, "a schema keyword with a value that it cannot have"},
	{SchemaKeywordNoEffect, Warning, "a schema keyword that has no effect where it stands"},
	{SchemaPatternInvalid, Error, "a pattern that cannot be applied"},
	{SchemaRef, Error, "a reference that leads nowhere"},
	{SchemaRowNotJudged, Error, "a row that cannot be held against the schema"},
	{SchemaType, Error, "a value of another type"},
	{SchemaEnum, Error, "a value that is not listed"},
	{SchemaConst, Error, "a value that is not the one allowed"},
	{SchemaRequired, Error, "a required property is missing"},
	{SchemaAdditionalProperties, Error, "a property that the schema does not allow"},
	{SchemaPropertyNames, Error, "a property with a name that the schema does not allow"},
	{SchemaMinProperties, Error, "an object with too few properties"},
	{SchemaMaxProperties, Error, "an object with too many properties"},
	{SchemaDependencies, Error, "a property is missing that another one asks for"},
	{SchemaMinItems, Error, "an array with too few elements"},
	{SchemaMaxItems, Error, "an array with too many elements"},
	{SchemaAdditionalItems, Error, "an array with more elements than the schema describes"},
	{SchemaUniqueItems, Error, "two elements of an array are equal"},
	{SchemaContains, Error, "an array without the element it must have"},
	{SchemaMinLength, Error, "a string that is too short"},
	{SchemaMaxLength, Error, "a string that is too long"},
	{SchemaPattern, Error, "a string that does not match its pattern"},
	{SchemaFormat, Error, "a string that is not in its format"},
	{SchemaMinimum, Error, "a number that is too small"},
	{SchemaExclusiveMinimum, Error, "a number that is not above its bound"},
	{SchemaMaximum, Error, "a number that is too large"},
	{SchemaExclusiveMaximum, Error, "a number that is not below its bound"},
	{SchemaMultipleOf, Error, "a number that is not a multiple"},
	{SchemaAnyOf, Error, "a value that fits no alternative"},
	{SchemaOneOf, Error, "a value that does not fit exactly one alternative"},
	{SchemaNot, Error, "a value that the schema forbids"},
	{SchemaFalse, Error, "a value where the schema allows none"},
	{SchemaIntegerAsFloat, Error, "an integer of an artifact that is written as a float"},
	{LoaderEmptySplit, Error, "a split has no rows"},
	{LoaderNoSuchFile, Error, "a pattern of a split matches no file"},
	{LoaderUnclaimedFile, Warning, "a data file belongs to no split"},
	{LoaderShards, Error, "a set of shards has holes"},
	{LoaderShardsMixed, Error, "two sets of shards in one split"},
	{LoaderNoData, Error, "no data files at all"},
	{LoaderDefaultConfig, Note, "several configs and no default"},
	{LoaderOneBuilder, Error, "files of more than one format in one repo"},
	{LoaderFileTwice, Warning, "a split reads a file twice"},
	{LoaderFieldNotRead, Warning, "a config reads a member of JSON files that hfpub does not read"},
	{LoaderParquetSchemas, Error, "Parquet files of one config have different columns"},
	{LoaderParquetType, Error, "a column of a type that load_dataset does not take"},
	{LoaderParquetRowGroup, Warning, "a row group that the viewer cannot show"},
	{LoaderSplitName, Error, "a file name gives a split a name that the loader refuses"},
	{LoaderColumnsDiffer, Error, "a file has columns that others lack"},
	{LoaderFieldsDiffer, Error, "objects have a field that those before them lack"},
	{LoaderTypeChanges, Error, "values of a type that their column cannot take"},
	{LoaderNullFirst, Error, "a column is null for too long before it has values"},
	{LoaderNullColumn, Note, "a column is null in every row"},
	{LoaderMixedKinds, Warning, "a column holds values of several kinds"},
	{LoaderKeysDiffer, Warning, "objects of a column have different keys"},
	{LoaderTimestamps, Warning, "texts are loaded as timestamps"},
	{LoaderValuesChange, Warning, "values are loaded as others"},
	{LoaderBigInteger, Warning, "big integers lose digits"},
	{LoaderNumberRange, Error, "a number that the loader cannot read"},
	{LoaderLeadingZeros, Warning, "zeros before digits are lost"},
	{LoaderMissingText, Warning, "a text is loaded as a missing value"},
	{LoaderNameMisleads, Error, "a name that misleads the loader"},
	{LoaderAgentTrace, Error, "columns that look like logs of agents"},
	{LoaderBlankFirst, Error, "a blank first line beside mixed kinds"},
	{LoaderArrayPlace, Error, "an array does not begin where the loader looks for it"},
	{LoaderArrayWrapped, Warning, "an array whose rows the loader does not see"},
	{LoaderFieldMissing, Error, "a JSON file without the list that a config reads"},
	{LoaderNesting, Error, "values nested too deeply for the loader"},
	{StatisticsOneValue, Warning, "a column with one value, on which the viewer's statistics fail"},
	{StatisticsInfinite, Warning, "a column with infinity, on which the viewer's statistics fail"},
	{StatisticsEdges, Warning, "a column of large numbers of which the viewer makes no histogram"},
	{StatisticsTwoEdges, Warning, "a column with a range of one, on which some viewers' statistics fail"},
	{StatisticsLabelIDs, Warning, "a column with more ids than class labels, on which the viewer's statistics fail"},
	{StatisticsLongDigits, Warning, "a column of long digits, on which the viewer's statistics fail"},
	{StatisticsNotMeasured, Note, "a column that the viewer measures and hfpub does not"},
	{HygieneLFSPointer, Error, "a Git LFS pointer stands where data should be"},
	{HygieneSecret, Error, "a password, token or private key"},
	{HygieneLocalPath, Warning, "a path of the machine that the data were made on"},
	{HygienePersonal, Note, "an e-mail address or phone number"},
	{HygieneForbidden, Error, "text that must not be in any file"},
	{HygieneLeftover, Warning, "a file that nobody means to release"},
	{HygieneNotScanned, Note, "a large file that was not looked through"},
	{PublishPlainTooBig, Error, "a big file that .gitattributes does not put into LFS"},
	{PublishPath, Error, "a file name that cannot be pushed"},
	{PublishSymlink, Error, "a symbolic link in the release"},
	{PublishTokenInURL, Warning, "a token stands in a URL"},
	{PublishAttributes, Error, ".gitattributes contradicts what a file needs to be"},
	{PublishRemoteDiffers, Error, "the remote does not hold what it should"},
	{LicenseDisagree, Error, "two places name different licenses"},
	{LicenseShareAlike, Error, "share-alike content in a repo under another license"},
	{LicenseNonCommercial, Error, "non-commercial content in a repo that allows commercial use"},
	{LicenseNoDerivatives, Error, "content whose license allows no changed works"},
	{LicenseBaseModel, Error, "weights under another license than their base model"},
	{LicenseBaseModelName, Error, "an adapter's base model that the card does not name"},
	{LicenseAttribution, Warning, "attribution is missing that a license asks for"},
	{LicenseNotice, Error, "content whose license text or NOTICE does not come along"},
	{LicenseToolTerms, Note, "outputs of a tool whose provider has terms"},
	{LicenseUpstreamUnknown, Warning, "content of a work whose license is not known"},
	{LicenseUpstreamDiffers, Error, "one work has two licenses in hfpub.yaml"},
	{LicenseStatus, Warning, "a repo that its status promises more of"},
	{LicenseRow, Error, "rows under a license that that of the repo does not allow"},
	{ManifestYAML, Error, "hfpub.yaml is not YAML"},
	{ManifestDuplicateKey, Error, "a key stands twice"},
	{ManifestUnknownKey, Error, "a key that hfpub does not know"},
	{ManifestValue, Error, "a value that is not allowed here"},
	{ManifestMissing, Error, "a key that is needed is missing"},
	{ManifestNotEvaluated, Warning, "a part of hfpub.yaml that is not evaluated yet"},
	{CardFrontMatter, Error, "the front matter of README.md cannot be read"},
	{CardDuplicateKey, Error, "a key of the front matter stands twice"},
	{CardConfigs, Error, "the configs of README.md are not in the form the loader takes"},
	{CardLicenseUnknown, Error, "a license id that the Hub does not know"},
	{CardYAML11, Error, "a value that readers of YAML 1.1 and 1.2 take for different things"},
	{CardType, Error, "a key whose value is not of the type that the Hub takes"},
	{CardBlank, Warning, "a key without a value"},
	{CardPluralKey, Error, "licenses or languages instead of license or language"},
	{CardKeyMisspelt, Warning, "an unknown key close to a known one"},
	{CardLanguage, Error, "a language that is no ISO 639 code"},
	{CardValueUnknown, Warning, "a value that is not on the Hub's list"},
	{CardRepoID, Warning, "a value that is not the id of a repo"},
	{CardSizeCategory, Error, "a size category that the Hub does not know"},
	{CardSizeDiffers, Warning, "size_categories does not fit the number of rows"},
	{CardLicenseMissing, Warning, "the card names no license"},
	{CardLicenseOther, Warning, "license: other without its name or its text"},
	{CardLicenseIgnored, Warning, "a license name or link that has no effect"},
	{CardDatasetInfo, Error, "dataset_info is not in the form the loader takes"},
	{CardConfigUnknown, Warning, "dataset_info describes a config that is not there"},
	{CardSplitsDiffer, Error, "dataset_info does not list the splits that are there"},
	{CardNumExamples, Error, "num_examples is not the number of rows"},
	{CardBytesDiffer, Warning, "a size in dataset_info is not what was measured"},
	{CardFeatures, Error, "features that the loader cannot read"},
	{CardFeaturesDiffer, Error, "declared features do not fit the data"},
	{CardModelIndex, Error, "model-index is not in the form the Hub takes"},
	{CardUTF8, Error, "README.md or schema.md is not UTF-8"},
	{CardMarkers, Error, "a marker of hfpub's blocks is out of place"},
	{CardOutOfDate, Error, "a file of the card is not what hfpub would write"},
	{CardTemplate, Error, "a template for cards cannot be used"},
	{CardAdapter, Warning, "the card of an adapter lacks what loads it"},
	{CardMissing, Warning, "a declared repo has no README.md"},
	{CardCroissant, Error, "croissant.json cannot be written"},
	{CardHubRefuses, Error, "the Hub would refuse a push for this card"},
	{CardHubWarns, Warning, "the Hub warns about this card"},
	{LockMissing, Error, "there is no lock to compare with"},
	{LockDrift, Error, "the release differs from its lock"},
	{LockUnreadable, Error, "hfpub.lock is not a lock that can be read"},
}
