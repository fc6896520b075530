import { type HttpClient, HttpClientRequest } from "@effect/platform"
import { Effect, Redacted, type Scope } from "effect"
import type { Credential } from "../../../src/domain/provider/Credential.ts"
import type { Change, ChangeRecord } from "../../../src/domain/plan/Plan.ts"
import type { CatalogClientFactory } from "../../../src/providers/catalog/CatalogAdapter.ts"
import { catalog, limitsOf, unknownProvider } from "../../../src/providers/catalog/catalog.ts"
import type { OAuthRegistration } from "../../../src/providers/oauth/OAuthSettings.ts"
import type { Timeouts, ZoneRequest } from "../../../src/providers/ProviderClient.ts"
import type { ProviderFailureCode } from "../../../src/providers/ProviderFailure.ts"
import type { LabRecord } from "../../support/lab/packet.ts"
import {
  type DescribedZones,
  enterSets,
  makeDescribedVendor,
  toZoneFileLine,
  tryToEnter,
  type VendorDescription
} from "../../support/vendors/DescribedVendor.ts"
import type { FakeVendor, FakeVendorOptions } from "../../support/vendors/FakeVendor.ts"
import { httpClientFor } from "../../support/vendors/httpClientFor.ts"
import { type TokenServer, withTokenServer } from "../../support/vendors/TokenServer.ts"
import type { CallPattern, VendorAnswer, VendorCall } from "../../support/vendors/VendorCall.ts"
import {
  endActions,
  type EnteredRecord,
  type VendorRecord,
  type VendorZones
} from "../../support/vendors/VendorZones.ts"
import type { RoundTrip } from "../../planning/roundTrip/RoundTrip.ts"
import { openZone, planFrom, resolvedIntentOf, sendWrites } from "./AdapterUnderTest.ts"
import type { MatrixSubject } from "./matrixRun.ts"
import type { DeclaredLimitations, VendorAdapterUnderTest } from "./vendorContract.ts"

/** An adapter, and the description of its vendor: what the contract, the fault matrix and the table of errors need. */
export interface DescribedAdapter<Data> extends Pick<
  MatrixSubject<never>,
  "recordsOfTwoPages" | "storesApexAlias" | "writes"
> {
  /** In the catalog. */
  readonly id: string
  readonly name: string
  readonly makeClient: CatalogClientFactory
  readonly vendor: VendorDescription<Data>
  /** The operator's application, at a vendor that takes calls only from one. */
  readonly registration?: OAuthRegistration
  /** Where the credential is exchanged for the token of each call, at a vendor that has such a server. */
  readonly tokens?: TokenServer
  readonly credential: Credential
  readonly wrongCredentials: ReadonlyArray<Credential>
  /** One that may read, but not write, where the vendor has such credentials. */
  readonly readOnlyCredential?: Credential
  readonly nameServers: ReadonlyArray<string>
  /** The vendor says in words of its own that an alias stands where a record is to be. */
  readonly refusesAliases?: true
  /** The vendor refuses the write of a set that is not as the call says. */
  readonly comparesSets?: true
  readonly limitations: DeclaredLimitations
  readonly errors: ReadonlyArray<VendorErrorCase>
  /** Too many calls, and how many seconds the vendor asks to wait. */
  readonly limit: VendorAnswer & { readonly seconds: number }
}

/** An error in the vendor's words, and what it means. */
export interface VendorErrorCase {
  /** As in `422 unprocessable_entity`. */
  readonly word: string
  readonly answer: VendorAnswer
  /** The code for a write, from which the others follow; or all of them. */
  readonly codes: WriteErrorCode | ErrorCodes
}

type WriteErrorCode = ProviderFailureCode | "OutcomeUnknown" | "ZoneChanged"

type ErrorCodes = readonly [opening: ProviderFailureCode, reading: ProviderFailureCode, writing: WriteErrorCode]

/** The codes of an answer that is not a documented one. */
export const undocumented: ErrorCodes = ["provider_unavailable", "provider_snapshot_failed", "OutcomeUnknown"]

/** The codes of an error. What can only be said of a write is an error that nobody expects while a zone is read. */
export const codesOf = ({ codes }: VendorErrorCase): ErrorCodes => {
  if (typeof codes !== "string") return codes
  if (codes === "OutcomeUnknown") return ["provider_unavailable", "provider_unavailable", codes]
  return codes === "ZoneChanged" || codes === "apply_rejected"
    ? ["provider_unavailable", "provider_snapshot_failed", codes]
    : [codes, codes, codes]
}

/** Errors by their status and the vendor's word for each, in the vendor's form. */
export const errorCases = (
  error: (status: number, word: string) => VendorAnswer,
  errors: ReadonlyArray<readonly [status: number, word: string, codes: VendorErrorCase["codes"]]>
): ReadonlyArray<VendorErrorCase> =>
  errors.map(([status, word, codes]) => ({ word: `${status} ${word}`, answer: error(status, word), codes }))

/** A running fake of a described vendor. */
export type DescribedFake<Data> = FakeVendor<VendorZones<Data>>

/** The zone of the tests. */
export const zone = "example.com"

/** Starts a fake whose zone has the records besides the vendor's own. */
export const makeFakeOf = <Data>(
  { vendor }: Pick<DescribedAdapter<Data>, "vendor">,
  records: DescribedZones<NoInfer<Data>>[string] = "",
  options?: FakeVendorOptions
): Effect.Effect<DescribedFake<Data>, never, Scope.Scope> => makeDescribedVendor(vendor, { [zone]: records }, options)

/** The adapter for a fake, which `http` reaches. */
export const underTest = <Data>(
  {
    credential,
    id,
    limitations,
    makeClient,
    nameServers,
    registration,
    tokens,
    vendor,
    wrongCredentials
  }: DescribedAdapter<Data>,
  fake: DescribedFake<Data>,
  { http = httpClientFor(fake), timeouts }: { readonly http?: HttpClient.HttpClient; readonly timeouts?: Timeouts } = {}
): VendorAdapterUnderTest => ({
  client: makeClient({
    http: tokens === undefined ? http : withTokenServer(http, tokens),
    limits: limitsOfProvider(id),
    ...(registration === undefined ? {} : { registration }),
    ...(timeouts === undefined ? {} : { timeouts })
  }),
  credential,
  wrongCredentials,
  zone,
  nameServers,
  replaceSets: (records) => Effect.sync(() => fake.update((state) => enterSets(vendor, state, zone, records))),
  dump: Effect.sync(() => {
    // As the zone will be when every accepted change is made.
    const { served, zones } = endActions(fake.state(), Infinity)
    const records = zones[zone] ?? []
    const linesOf = (records: ReadonlyArray<VendorRecord<Data>>) =>
      records
        .filter(({ type }) => type !== "SOA")
        .map((record) => toZoneFileLine(vendor, record, zone))
        .toSorted()
    const storedLines = linesOf(records)
    const servedLines = linesOf(served?.[zone] ?? records)
    return [
      ...storedLines,
      ...[...new Set(storedLines).difference(new Set(servedLines))].map((line) => `; not served: ${line}`),
      ...[...new Set(servedLines).difference(new Set(storedLines))].map((line) => `; still served: ${line}`)
    ]
  }),
  calls: fake.calls,
  limitations
})

const limitsOfProvider = (id: string) =>
  limitsOf(catalog.find(({ provider }) => provider.id === id)?.provider ?? unknownProvider)

/** The records of the zone of a fake, as the vendor keeps them. */
export const recordsIn = <Data>(fake: Pick<DescribedFake<Data>, "state">): ReadonlyArray<VendorRecord<Data>> =>
  fake.state().zones[zone] ?? []

/** The records below the apex as lines of a zone file. */
export const linesIn = <Data>({ vendor }: Pick<DescribedAdapter<Data>, "vendor">, fake: DescribedFake<Data>) =>
  recordsIn(fake).flatMap((record) =>
    record.name === zone ? [] : toZoneFileLine(vendor, record, zone).replace(`.${zone}.`, "")
  )

/** Changes the records of the zone as somebody else would. */
export const editRecords = <Data>(
  fake: DescribedFake<Data>,
  edit: (records: ReadonlyArray<VendorRecord<Data>>) => ReadonlyArray<VendorRecord<Data>>
): void => fake.update((state) => ({ ...state, zones: { ...state.zones, [zone]: edit(state.zones[zone] ?? []) } }))

/** Adds a record as somebody else would. */
export const addRecord = <Data>(
  fake: DescribedFake<Data>,
  record: EnteredRecord<Data> & { readonly id?: string }
): void => editRecords(fake, (records) => [...records, { id: "added", ...record }])

/** Opens the zone at a fake. */
export const openAt = <Data>(
  adapter: DescribedAdapter<Data>,
  fake: DescribedFake<Data>,
  request: Partial<ZoneRequest> = {}
) => openZone(underTest(adapter, fake), request)

/** Reads the zone at a fake, and sends the writes of the changes. */
export const writeAt = <Data>(
  adapter: DescribedAdapter<Data>,
  fake: DescribedFake<Data>,
  ...changes: ReadonlyArray<Change>
) =>
  Effect.flatMap(openAt(adapter, fake), (opened) =>
    Effect.flatMap(opened.read, (snapshot) => sendWrites(snapshot, changes, opened))
  )

/** Applies the plan for the desired records at a fake; returns what is planned for them after that. */
export const applyDesired = <Data>(
  adapter: DescribedAdapter<Data>,
  fake: DescribedFake<Data>,
  desired: ReadonlyArray<string>,
  policy?: RoundTrip["policy"]
) =>
  Effect.gen(function* () {
    const opened = yield* openAt(adapter, fake)
    const intent = resolvedIntentOf(zone, { desired, ...(policy === undefined ? {} : { policy }) })
    const snapshot = yield* opened.read
    yield* sendWrites(snapshot, planFrom(snapshot, intent, opened).changes, opened)
    return planFrom(yield* opened.read, intent, opened).changes
  })

/** The records of the zone at a fake, as the adapter reads them. */
export const readAt = <Data>(adapter: DescribedAdapter<Data>, fake: DescribedFake<Data>) =>
  Effect.map(
    Effect.flatMap(openAt(adapter, fake), ({ read }) => read),
    (snapshot) => snapshot.zone.records
  )

/** Starts a fake whose zone has the records, and says what tests do there with the adapter. */
export const startFake = <Data>(
  adapter: DescribedAdapter<Data>,
  records?: DescribedZones<NoInfer<Data>>[string],
  options?: FakeVendorOptions
) =>
  Effect.map(makeFakeOf(adapter, records, options), (fake) => ({
    fake,
    apply: (...desired: ReadonlyArray<string>) => applyDesired(adapter, fake, desired),
    lines: () => linesIn(adapter, fake),
    open: (request?: Partial<ZoneRequest>) => openAt(adapter, fake, request),
    read: readAt(adapter, fake),
    records: () => recordsIn(fake),
    tested: underTest(adapter, fake),
    write: (...changes: ReadonlyArray<Change>) => writeAt(adapter, fake, ...changes),
    writes: () => writesTo(fake)
  }))

/** Sends a request to a fake without the adapter. */
export const callFake = <Data>(
  fake: DescribedFake<Data>,
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
  path: string,
  { body, headers }: { readonly body?: object; readonly headers: Readonly<Record<string, string>> }
) =>
  HttpClientRequest.make(method)(`${fake.baseUrl}${path}`).pipe(
    HttpClientRequest.setHeaders(headers),
    body === undefined ? (request) => request : HttpClientRequest.bodyUnsafeJson(body),
    httpClientFor(fake).execute,
    Effect.flatMap(({ status, text }) =>
      Effect.map(text, (text) => ({ status, body: text === "" ? undefined : JSON.parse(text) }))
    )
  )

/** The lines of a zone file for so many hosts, which have one address. */
export const hostLines = (count: number, ttl = 3600): string =>
  Array.from({ length: count }, (_, index) => `host${index} ${ttl} A 192.0.2.1`).join("\n")

/** The calls that read. */
export const aRead: CallPattern = { where: ({ isWrite }) => !isWrite }

/** The calls by which a fake was written, with their bodies. */
export const writesTo = <Data>(fake: DescribedFake<Data>) =>
  fake.calls().flatMap(({ body, isWrite, method, path }) => (isWrite ? [{ method, path, body }] : []))

/** A record of a plan, with a TTL that every vendor stores. */
export const recordAt = (
  host: string,
  type: string,
  value: string,
  more: Partial<Pick<ChangeRecord, "priority" | "ttl">> = {}
): ChangeRecord => ({ host, type, value, ttl: 3600, optional: false, ...more })

/** A record as a vendor keeps it, below the zone of the tests. */
export const storedAt = <Data>(host: string, type: string, data: Data, ttl = 3600): EnteredRecord<Data> => ({
  name: `${host}.${zone}`,
  type,
  ttl,
  data
})

/** An address of `www`: one of those for documentation (RFC 5737). */
export const address = (last: number): ChangeRecord => recordAt("www", "A", `192.0.2.${last}`)

export const createChange = (after: ChangeRecord): Change => ({ action: "create", after, destructive: false })
export const deleteChange = (before: ChangeRecord): Change => ({ action: "delete", before, destructive: true })
export const updateChange = (before: ChangeRecord, after: ChangeRecord): Change => ({
  action: "update",
  before,
  after,
  destructive: true
})

export const apiToken = (token: string): Credential => ({ _tag: "api_token", apiToken: Redacted.make(token) })

/** Tokens that are not this one, also in a spelling that no header may have. */
export const wrongTokens = (valid: string): ReadonlyArray<Credential> =>
  ["wrong", `${valid}\n`, "schlüssel"].map(apiToken)

/** The credentials of a vendor with tokens, of which one may do everything, and one may only read, where there is such. */
export const apiTokens = (valid: string, readOnly?: string) => ({
  credential: apiToken(valid),
  wrongCredentials: wrongTokens(valid),
  ...(readOnly === undefined ? {} : { readOnlyCredential: apiToken(readOnly) })
})

/** Refuses each call whose header has another value than a valid one. */
export const requireHeader =
  (header: string, values: ReadonlyArray<string>, refuse: (call: VendorCall) => VendorAnswer) =>
  (headers: Headers, call: VendorCall): VendorAnswer | undefined =>
    values.includes(headers.get(header) ?? "") ? undefined : refuse(call)

/** Refuses each call without this token. */
export const requireToken = (token: string, refusal: VendorAnswer) =>
  requireHeader("authorization", [`Bearer ${token}`], () => refusal)

/** Refuses each call without one of two tokens, of which one may do everything, and one may only read. */
export const requireScope =
  (
    tokens: { readonly all: string; readonly read: string },
    [unauthorized, forbidden]: readonly [unauthorized: VendorAnswer, forbidden: VendorAnswer]
  ) =>
  (headers: Headers, { isWrite }: VendorCall): VendorAnswer | undefined => {
    const token = headers.get("authorization")
    if (token !== tokens.all && token !== tokens.read) return unauthorized
    return isWrite && token === tokens.read ? forbidden : undefined
  }

/** Records that are never in a zone of a vendor, because its fake refuses them, whoever enters them. */
export const absentAtFake = <Data>(
  vendor: VendorDescription<Data>,
  source: string,
  about = "what its fake refuses, because the vendor does, or because nobody says how it is stored"
) => ({
  about,
  source,
  matches: (record: LabRecord): boolean => typeof tryToEnter(vendor, record, zone) === "string"
})
