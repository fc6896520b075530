import { HttpClient } from "@effect/platform"
import { Cause, Config, Data, Effect, Exit, Option, Predicate, Redacted, Schema, type Scope } from "effect"
import { resolveNs } from "node:dns/promises"
import { writeFileSync } from "node:fs"
import { Credential } from "../src/domain/provider/Credential.ts"
import { DomainName, isAtOrBelow, normalizeName, parseDomain } from "../src/domain/names/DomainName.ts"
import { randomLabel } from "../src/dns/zone/QuestionSet.ts"
import { type ProviderClient, defaultTimeouts } from "../src/providers/ProviderClient.ts"
import { catalog, limitsOf } from "../src/providers/catalog/catalog.ts"
import { catalogAdapters } from "../src/providers/catalog/catalogAdapters.ts"
import { outboundHttpLayer } from "../src/providers/outboundHttp.ts"
import { adapterContract } from "../test/providers/adapters/adapterContract.ts"
import { evidence } from "../test/providers/adapters/evidence.ts"
import { refusalContract, storedTypesContract } from "../test/providers/adapters/vendorContract.ts"
import { type ProofResult, expectNone } from "./ProofResult.ts"
import { type LiveSubject, makeLiveSubject } from "./provider/makeLiveSubject.ts"
import { type ExchangeRecorder, makeExchangeRecorder } from "./provider/recordExchanges.ts"
import { redactScenarios } from "./provider/redactScenarios.ts"

/** What the operator asks for on the command line. */
export interface ProviderProofOptions {
  /** The id of the provider in the catalog, or the name of the adapter's folder. */
  readonly id?: string | undefined
  /** A zone of the account. */
  readonly zone?: string | undefined
  /** Separated by commas; without it, those that the machine's resolver finds. */
  readonly nameServers?: string | undefined
  /** The file for the redacted recording; without it, none is written. */
  readonly recording?: string | undefined
  /** A part of the titles of the rows to run; without it, all rows run. */
  readonly only?: string | undefined
  /** Milliseconds before each call. */
  readonly pause?: string | undefined
}

/** The proof cannot begin: something is missing or wrong. */
export class ProviderProofRefused extends Data.TaggedError("ProviderProofRefused")<{ readonly message: string }> {}

export const providerHelp = `provider <id> --zone=<zone> [--recording=<file>] [--name-servers=<a,b>] [--only=<words>] [--pause=<ms>]
  with the account's credential in PROOF_CREDENTIAL: the JSON of its fields, as in an authorization`

/**
 * Runs the contract of adapters, and those of what the vendor cannot store and of the types that no intent has, at a live
 * account, below one random label.
 * Removes what it made after each row, also when it fails or is interrupted. Prints a line a row to standard error, and
 * writes the redacted recording in the end.
 */
export const proveProvider = (options: ProviderProofOptions): Effect.Effect<ProofResult, unknown> =>
  Effect.gen(function* () {
    const { credential, load, nameServers, pause, provider, zone } = yield* readOptions(options)
    const recorder = makeExchangeRecorder(yield* HttpClient.HttpClient, pause)
    const { recording = "" } = options
    if (recording !== "") yield* openRecording(recording)
    const client = (yield* Effect.promise(load))({
      http: recorder.http,
      limits: limitsOf(provider),
      // One that lists slowly is read at the pace of the proof.
      timeouts: { ...defaultTimeouts, snapshot: "5 minutes" }
    })
    const label = `proof-${yield* randomLabel}`
    const root = DomainName.make(`${label}.${zone}`)
    yield* print(`everything is below ${label}`)
    recorder.begin("opens the zone")
    const subject = yield* makeLiveSubject({ client, credential, zone, nameServers, root })
    const before = yield* subject.dumpZone
    if (before.some((line) => isAtOrBelow(line.split(" ")[0] ?? "", root)))
      return yield* new ProviderProofRefused({ message: `${root} exists already` })

    const rows = listRows(subject, provider.id, recorder).filter(({ title }) => title.includes(options.only ?? ""))
    const differences: Array<string> = []
    const runAll = Effect.forEach(rows, (row) => runRow(row, subject, recorder))
    const restore = Effect.gen(function* () {
      recorder.begin("removes what is left, and compares the zone with what it was before")
      const removed = yield* Effect.exit(subject.removeAll)
      const after = yield* Effect.exit(subject.dumpZone)
      differences.push(
        ...(Exit.isFailure(removed) ? [describeCause(removed.cause)] : []),
        ...Exit.match(after, { onFailure: (cause) => [describeCause(cause)], onSuccess: (now) => compare(before, now) })
      )
      yield* Effect.forEach(differences, (difference) => print(`the zone differs: ${difference}`))
      if (differences.length === 0) yield* print("the zone is as it was before")
      const scenarios = redactScenarios(recorder.scenarios(), { secrets: secretsOf(credential), zone })
      if (recording !== "")
        yield* Effect.sync(() => writeFileSync(recording, `${JSON.stringify({ scenarios }, null, 2)}\n`))
    })
    const results = yield* Effect.ensuring(runAll, restore)
    const failed = results.filter(({ passed }) => !passed)
    const calls = recorder.scenarios().reduce((sum, { interactions }) => sum + interactions.length, 0)
    return {
      figures: {
        provider: provider.id,
        rows: results.length,
        calls,
        failed: failed.map(({ title }) => title),
        differences
      },
      targets: [
        expectNone("rows that failed", failed),
        expectNone("differences of the zone before and after", differences),
        expectNone("proofs without a row", results.length === 0 ? ["no row"] : [])
      ]
    }
  }).pipe(Effect.provide(outboundHttpLayer({ outboundProxy: Option.none() })))

/** Reads and checks what the operator gave. No message quotes a credential. */
const readOptions = ({ id, nameServers, pause, zone: zoneText = "" }: ProviderProofOptions) =>
  Effect.gen(function* () {
    const adapter = catalogAdapters[id ?? ""]
    const entry = catalog.find(({ provider }) => provider.id === id)
    if (adapter === undefined || entry === undefined)
      return yield* refuse(`name a provider with an adapter: ${Object.keys(catalogAdapters).join(", ")}`)
    const zone = yield* Effect.mapError(
      parseDomain(zoneText),
      ({ message }) => new ProviderProofRefused({ message: `--zone ${message}` })
    )
    const credential = yield* readCredential(adapter.credential)
    return {
      load: adapter.load,
      provider: entry.provider,
      zone,
      credential,
      pause: pause === undefined ? defaultPauseMillis : Number(pause),
      nameServers: nameServers === undefined ? yield* findNameServers(zone) : nameServers.split(",").map(normalizeName)
    }
  })

/** Four calls a second: the slowest limit of the vendors so far is 250 a minute. */
const defaultPauseMillis = 250

const refuse = (message: string) => new ProviderProofRefused({ message })

const readCredential = (kind: ProviderClient["credential"]) =>
  Effect.gen(function* () {
    const text = yield* Effect.mapError(Config.redacted("PROOF_CREDENTIAL"), () =>
      refuse(`PROOF_CREDENTIAL must have the fields of the credential in JSON; its kind is ${kind}`)
    )
    return yield* Schema.decodeUnknown(Schema.parseJson(Schema.Record({ key: Schema.String, value: Schema.String })))(
      Redacted.value(text)
    ).pipe(
      Effect.flatMap((fields) =>
        Schema.decodeUnknown(Credential)({ ...fields, _tag: "accessToken" in fields ? "oauth_token" : kind })
      ),
      Effect.mapError(() => refuse(`PROOF_CREDENTIAL must be JSON with the fields of the kind ${kind}`))
    )
  })

const findNameServers = (zone: DomainName) =>
  Effect.mapError(
    Effect.tryPromise(() => resolveNs(zone)),
    () => refuse(`the resolver of this machine finds no name servers of ${zone}; state them by --name-servers`)
  )

/** A file that cannot be written fails before the first call. */
const openRecording = (file: string) =>
  Effect.mapError(
    Effect.try(() => writeFileSync(file, "")),
    () => refuse(`--recording ${file} cannot be written`)
  )

/** All values but the algorithm of a TSIG key, and those in a key file. */
const secretsOf = ({ _tag, ...fields }: Credential): ReadonlyArray<string> =>
  Object.values(fields).flatMap((value) => {
    const text = Redacted.isRedacted(value) ? String(Redacted.value(value)) : typeof value === "string" ? value : ""
    return [text, ...Option.getOrElse(decodeKeyFile(text), () => [])]
  })

const decodeKeyFile = (text: string) =>
  Option.map(
    Schema.decodeOption(Schema.parseJson(Schema.Record({ key: Schema.String, value: Schema.Unknown })))(text),
    (file) => Object.values(file).filter(Predicate.isString)
  )

interface ProofRow {
  readonly title: string
  readonly body: () => Effect.Effect<unknown, unknown, Scope.Scope>
}

const listRows = (
  subject: LiveSubject,
  providerId: string,
  { scenarios }: ExchangeRecorder
): ReadonlyArray<ProofRow> => {
  const rows: Array<ProofRow> = []
  const declare = (title: string, body: ProofRow["body"]) => void rows.push({ title, body })
  adapterContract<never>(declare, Effect.succeed(subject))
  const countWrites = () =>
    scenarios()
      .flatMap(({ interactions }) => interactions)
      .filter(({ method }) => method !== "GET").length
  refusalContract<never>(declare, Effect.succeed({ ...subject, refused: refusedBelow(providerId), countWrites }))
  storedTypesContract<never>(declare, Effect.succeed(subject))
  return rows
}

/** What the vendor is declared not to store, without what it stores below the apex, where the proof writes. */
const refusedBelow = (providerId: string) =>
  evidence
    .filter(({ provider }) => provider === providerId)
    .flatMap(({ limitations }) => limitations.refused)
    .map((refusal) => ({ ...refusal, examples: refusal.examples.filter(({ host }) => host !== "@") }))
    .filter(({ examples }) => examples.length > 0)

/** Runs a row and removes what it made; what it left behind fails it too. */
const runRow = ({ body, title }: ProofRow, { removeAll }: LiveSubject, recorder: ExchangeRecorder) =>
  Effect.gen(function* () {
    recorder.begin(title)
    const exit = yield* Effect.exit(Effect.zipRight(Effect.scoped(Effect.suspend(body)), removeAll))
    if (Exit.isInterrupted(exit)) return yield* Effect.interrupt
    const passed = Exit.isSuccess(exit)
    yield* print(passed ? `passed: ${title}` : `failed: ${title}: ${describeCause(exit.cause)}`)
    return { title, passed }
  })

const describeCause = (cause: Cause.Cause<unknown>): string => Cause.pretty(cause).slice(0, longestReason)

const longestReason = 1_000

const compare = (before: ReadonlyArray<string>, after: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...before.filter((line) => !after.includes(line)).map((line) => `gone: ${line}`),
  ...after.filter((line) => !before.includes(line)).map((line) => `new: ${line}`)
]

const print = (line: string) => Effect.sync(() => process.stderr.write(`${line}\n`))
