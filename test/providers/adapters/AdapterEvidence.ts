import type { DescribedAdapter } from "./DescribedAdapter.ts"
import type { DeclaredLimitations } from "./vendorContract.ts"

/** What is to be proven of every adapter. */
export const evidenceRows = {
  findsZone: "finds the zone, and takes no other one for it",
  readsEveryPage: "reads every page",
  creates: "creates a record",
  replaces: "replaces a record",
  removes: "removes a record",
  A: "A records",
  AAAA: "AAAA records",
  CNAME: "CNAME records",
  MX: "MX records",
  TXT: "TXT records",
  NS: "NS records",
  SRV: "SRV records",
  CAA: "CAA records",
  wildcard: "wildcards",
  refuses: "refuses what the vendor cannot store",
  errors: "reports errors by the vendor's words",
  rateLimit: "keeps to the rate limit",
  faults: "calls that are lost, cut or fail"
} as const

/** A row of the table of evidence. */
export type EvidenceRow = keyof typeof evidenceRows

/**
 * Where evidence comes from: the vendor's document, which judges the fake; what was recorded at the vendor; a client
 * that somebody else wrote; a trap or an error of the vendor's facts. What is proven at a live account is not declared.
 */
export const evidenceKinds = ["document", "recording", "judge", "trap"] as const

/** A kind of evidence that tests give. */
export type EvidenceKind = (typeof evidenceKinds)[number]

/** A test, or a group of tests, by its title as it is reported. */
export interface NamedTest {
  /** The path from the root of the repository. */
  readonly file: string
  readonly title: string
}

/** The tests that prove something, or in words why there is none. */
export type Evidence = ReadonlyArray<NamedTest> | string

/** The evidence for each row. */
type RowEvidence = Readonly<Record<EvidenceRow, Evidence>>

/** What proves the adapter of one vendor. */
export interface AdapterEvidence {
  /** Its id in the catalog, and that of its vendor in `vendor-facts.json`. */
  readonly provider: string
  /** The folder of the adapter, where that is not its id. */
  readonly adapter?: string
  readonly name: string
  /** What the evidence of each kind is at this vendor, as a sentence without its full stop; or why there is none. */
  readonly sources: Readonly<Record<EvidenceKind, string>>
  readonly rows: Readonly<Record<EvidenceKind, RowEvidence>>
  /** What the vendor cannot do: the contract proves that the adapter refuses it, or does without it. */
  readonly limitations: DeclaredLimitations
  /** By the words of `traps` in `vendor-facts.json`. */
  readonly traps: Readonly<Record<string, Evidence>>
  /** By the words of `open` there: findings that have become tests, and are traps from then on. */
  readonly findings?: Readonly<Record<string, Evidence>>
}

/** Names tests of a file, whose path is from the root of the repository. */
export const testsAt =
  (file: string) =>
  (...titles: ReadonlyArray<string>): ReadonlyArray<NamedTest> =>
    titles.map((title) => ({ file, title }))

/** Names tests of a file, which is in the folder of the adapters' tests. */
export const testsIn = (file: string) => testsAt(`test/providers/adapters/${file}`)

/** The tests of a vendor's traps, each of which has the words of its trap as its title. */
export const eachTrap = (
  tests: ReturnType<typeof testsIn>,
  traps: ReadonlyArray<string>
): Readonly<Record<string, Evidence>> => Object.fromEntries(traps.map((words) => [words, tests(words)]))

/** The same evidence for several rows. */
export const forRows = <Row extends EvidenceRow>(
  rows: ReadonlyArray<Row>,
  evidence: Evidence
): Readonly<Record<Row, Evidence>> =>
  Object.fromEntries(rows.map((row) => [row, evidence])) as unknown as Readonly<Record<Row, Evidence>>

/** The same evidence for every row: mostly why there is none. */
export const forEveryRow = (evidence: Evidence): RowEvidence =>
  forRows(Object.keys(evidenceRows) as ReadonlyArray<EvidenceRow>, evidence)

/** The rows that `vendorContract` proves where a test file calls it. */
export const contractRows = (
  contract: ReturnType<typeof testsIn>
): Omit<RowEvidence, "readsEveryPage" | "rateLimit" | "faults"> => {
  const roundTrip = (about: string) => contract(`leaves no changes to plan: ${about}`)
  const everyType = roundTrip("a record of every type in an empty domain")
  return {
    ...forRows(["creates", "A", "AAAA", "CNAME", "MX", "SRV"], everyType),
    refuses: contract("refuses each record that the vendor cannot store, before any call that writes"),
    errors: "a document lists statuses and codes; what they mean for a zone is said by those who met them",
    findsZone: contract("rejects a zone that does not exist or is not the delegated one"),
    replaces: roundTrip("RRsets that lose, gain and exchange members"),
    removes: contract("keeps the siblings of added and removed records byte for byte"),
    TXT: roundTrip("texts with quotes, backslashes, semicolons, blanks and other scripts, each at its own host"),
    NS: roundTrip("a delegation to name servers below it or at its own host, with glue"),
    CAA: roundTrip("CAA entries with parameters beside existing ones"),
    wildcard: roundTrip("a wildcard and explicit hosts that it does not cover")
  }
}

/** Why a recording that has neither a second page nor an error proves nothing of these rows. */
const unprovenByRecording = {
  readsEveryPage: "its lists fit one page",
  refuses: "nothing was refused while it was made",
  errors: "it has no error",
  rateLimit: "the limit was not reached while it was made",
  faults: "no call failed while it was made"
}

/** Why a judge, a recording, or one that has few types of records, proves nothing of these rows. */
export const unproven = {
  byJudge: forRows(["rateLimit", "faults"], "how another client waits and tries again proves nothing of the adapter"),
  byRecording: unprovenByRecording,
  byPlainRecording: {
    ...unprovenByRecording,
    ...forRows(["AAAA", "MX", "NS", "SRV", "CAA", "wildcard"], "it writes addresses, aliases and texts only")
  }
}

/**
 * The tests of a described adapter, whose files have names that begin alike, as `azure/azure` in
 * `azure/azureTraps.test.ts`; and the rows that they prove in the same way at each vendor.
 */
export const testsOf = (
  path: string,
  { id, limitations, name }: Pick<DescribedAdapter<never>, "id" | "limitations" | "name">
) => {
  const testsOfKind = (kind: string) => testsIn(`${path}${kind}.test.ts`)
  const contract = testsOfKind("Contract")
  const faults = testsOfKind("Faults")(`the fault matrix of ${name}`)
  const lego = testsIn(`${path.split("/")[0]}/lego.servers.test.ts`)
  const recordings = testsOfKind("Recordings")
  const sdk = testsOfKind("Sdk.servers")
  const traps = testsOfKind("Traps")
  return {
    /** What the evidence is about. */
    adapter: { provider: id, name, limitations },
    contract,
    decoded: recordings("decodes what was recorded"),
    faults,
    lego,
    /** Where lego judges it. */
    legoRows: {
      ...forEveryRow("lego writes texts only"),
      refuses: `lego writes nothing that ${name} cannot store`,
      errors: lego("reports a credential that is refused"),
      ...unproven.byJudge
    },
    lexicon: testsIn(`${path.split("/")[0]}/lexicon.servers.test.ts`),
    recordings,
    requests: recordings("writes with the recorded requests"),
    sdk,
    traps,
    /** A credential that may only read. */
    readOnly: contract("a credential that may only read opens and reads the zone, and its writes lack a scope"),
    /** Where `testRecordRules` is called. */
    recordRules: traps(`a record that ${name} refuses is refused before the request, and one that it stores is not`),
    /** Where `testRateLimit` is called. */
    largeZones: traps(
      "is enough to open, read, change and read again a zone of 10,000 hosts",
      "does not fail a plan for a zone of 10,000 hosts that is planned, written and checked within a minute"
    ),
    /** Where a document judges the fake that states no rate. */
    documentRows: {
      ...contractRows(contract),
      readsEveryPage: contract("every page of a zone is read"),
      rateLimit: "the document states no rate",
      faults
    },
    /** Where a vendor's own client judges it: with one set in a first test, and with those of `testSdkRecords`. */
    sdkRows: (first: string, typesOfFirst: ReadonlyArray<"A" | "wildcard"> = ["A", "wildcard"]): RowEvidence => ({
      ...forRows(
        ["readsEveryPage", "A", "wildcard", "AAAA", "CNAME", "MX", "TXT", "NS", "SRV", "CAA"],
        sdk("writes records that the adapter reads, and reads those that the adapter writes, on every page")
      ),
      ...forRows(["findsZone", "creates", "replaces", "removes", "errors", ...typesOfFirst], sdk(first)),
      refuses: "the client offers no set that the adapter refuses",
      ...unproven.byJudge
    }),
    /** What its traps prove, besides what the contract does. */
    trapRows: (rows: Partial<RowEvidence>): RowEvidence => ({
      ...forEveryRow(`no trap of ${name} is about it`),
      refuses: contract("refuses each record that the vendor cannot store, before any call that writes"),
      rateLimit: contract("a limit says how long to wait"),
      ...rows
    })
  }
}
