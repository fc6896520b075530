import { Cause, Clock, Duration, Effect, Either, Exit, Option, Redacted } from "effect"
import type { Credential } from "../../src/domain/provider/Credential.ts"
import type { ZoneRecord } from "../../src/domain/records/DnsRecord.ts"
import { DomainName, isAtOrBelow, toFqdn, toRelativeHost } from "../../src/domain/names/DomainName.ts"
import type { Change, ChangeRecord } from "../../src/domain/plan/Plan.ts"
import { toStorableTtl } from "../../src/domain/provider/Provider.ts"
import { identityOf } from "../../src/planning/changes/computeResultingRecords.ts"
import { isEditable, normalizeData } from "../../src/planning/zone/LiveZone.ts"
import type { ProviderClient, ZoneClient, ZoneSnapshot } from "../../src/providers/ProviderClient.ts"
import { OutcomeUnknown, ProviderFailure, type ZoneChanged } from "../../src/providers/ProviderFailure.ts"
import { parseContent } from "../../src/providers/writing/recordContent.ts"
import type { AdapterUnderTest } from "../../test/providers/adapters/AdapterUnderTest.ts"
import type { LabRecord } from "../../test/support/lab/packet.ts"
import { makeWrittenRecords } from "./makeWrittenRecords.ts"

/** The account at a vendor, and the place in one of its zones that a proof may write to. */
export interface LiveAccount {
  readonly client: ProviderClient
  readonly credential: Credential
  /** A zone of the account. */
  readonly zone: DomainName
  /** The name servers to which the zone is delegated. */
  readonly nameServers: ReadonlyArray<string>
  /** A name in the zone at and below which nothing exists. */
  readonly root: DomainName
}

/** An adapter at a live account, as its contract sees it: with the root of the proof in place of a zone. */
export interface LiveSubject extends AdapterUnderTest {
  /** All records of the zone but its SOA, sorted, one line each. */
  readonly dumpZone: Effect.Effect<ReadonlyArray<string>, ZoneFailure>
  /** Removes all records at and below the root; ends when none is left. */
  readonly removeAll: Effect.Effect<void, ZoneFailure>
}

type ZoneFailure = ProviderFailure | ZoneChanged | OutcomeUnknown

/** A live account gives a key, and no role that a connection assumes. */
const connectionId = "con_proof"

/**
 * Opens the zone, and makes the subject, which writes through the adapter only: a live account has no back door. It
 * waits as long as a vendor that limits calls asks for, and reads no sooner than writes are shown. Fails if the zone
 * cannot be opened.
 */
export const makeLiveSubject = (account: LiveAccount): Effect.Effect<LiveSubject, ProviderFailure> =>
  Effect.gen(function* () {
    const { credential, nameServers, root, zone } = account
    const client = confineTo(account)
    const openAt = (domain: DomainName, within: DomainName) =>
      client.openZone({ connectionId, credential, domain, zone: within, nameServers })
    const atRoot = yield* openAt(root, root)
    const wholeZone = account.client.openZone({ connectionId, credential, domain: zone, zone, nameServers })
    const writesInParts = Either.match((yield* atRoot.read).planWrites(twoCreations), {
      onLeft: () => false,
      onRight: (writes) => writes.length > 1
    })
    const refused = new Set<ChangeRecord>()
    const isStorable = (record: ChangeRecord) => Option.isNone(atRoot.checkRecord(record))
    const toRecord = (record: LabRecord) => toChangeRecord(record, root, atRoot)
    const replaceSets = (records: ReadonlyArray<LabRecord>) =>
      Effect.flatMap(atRoot.read, (snapshot) => {
        const changes = planReplacement(snapshot, records.map(toRecord))
        return sendChanges(snapshot, changes).pipe(
          // One that the vendor refuses would keep out all others.
          Effect.catchIf(isRefusal, () =>
            Effect.forEach(changes, (change) =>
              Effect.flatMap(atRoot.read, (current) =>
                Effect.catchIf(sendChanges(current, [change]), isRefusal, () => Effect.void)
              )
            )
          )
        )
      }).pipe(Effect.orDie, Effect.asVoid)
    const removeAll = Effect.gen(function* () {
      const snapshot = yield* atRoot.read
      yield* sendChanges(snapshot, snapshot.zone.records.filter(isEditable).map(toDeletion))
      const left = (yield* atRoot.read).zone.records.filter(isEditable)
      if (left.length > 0)
        return yield* new OutcomeUnknown({
          code: "provider_unavailable",
          detail: `not removed: ${describe(left, root)}`
        })
    }).pipe(Effect.retry({ times: 3 }))
    return {
      client: {
        ...client,
        openZone: (request) =>
          Effect.map(client.openZone(request), (opened) => ({
            ...opened,
            checkRecord: (record) =>
              Option.tap(opened.checkRecord(record), (failure) => {
                refused.add(record)
                return Option.some(failure)
              })
          }))
      },
      credential,
      wrongCredentials: [spoil(credential)],
      zone: root,
      nameServers,
      replaceSets,
      dump: Effect.orDie(Effect.map(atRoot.read, (snapshot) => describe(snapshot.zone.records, root))),
      limitations: {
        ...(writesInParts ? { writesInParts: "adapter" } : {}),
        refused: [{ about: "what the adapter refuses", source: "adapter", matches: (record) => refused.has(record) }],
        absent: [
          {
            about: "what the adapter refuses",
            source: "adapter",
            matches: (record) => !isStorable(toRecord(record)) || record.data.includes("\ufffd")
          }
        ]
      },
      dumpZone: Effect.map(
        Effect.flatMap(wholeZone, ({ read }) => retryWhileLimited(read)),
        (snapshot) => describe(snapshot.zone.records, zone)
      ),
      removeAll
    }
  })

const twoCreations = ["a", "b"].map((host) => ({
  action: "create" as const,
  after: { host, type: "TXT", value: "proof", ttl: 3600, optional: false },
  destructive: false
}))

/** The client with the root in place of the zone; it writes nowhere else, and keeps to the vendor's pace. */
const confineTo = ({ client, root, zone }: LiveAccount): ProviderClient => {
  let shownFrom = 0
  const written = makeWrittenRecords()
  const noteWrite = (
    exit: Exit.Exit<void, ZoneFailure>,
    { changes, domain, opened }: { changes: ReadonlyArray<Change>; domain: DomainName; opened: ZoneClient }
  ) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      if (isNotMade(exit)) return
      shownFrom = now + Duration.toMillis(opened.visibleWithin ?? Duration.zero)
      if (Exit.isSuccess(exit)) written.note(changes, domain)
      else written.noteUnclear()
    })
  const readShown = (opened: ZoneClient, domain: DomainName): ZoneClient["read"] =>
    Effect.gen(function* () {
      const isSettled = (yield* Clock.currentTimeMillis) >= shownFrom
      if (isSettled) written.clear()
      const snapshot = yield* retryWhileLimited(opened.read)
      return isSettled || written.areShownIn(snapshot.zone, domain)
        ? snapshot
        : yield* Effect.delay(readShown(opened, domain), "1 second")
    })
  const confine = (opened: ZoneClient, domain: DomainName): ZoneClient => ({
    ...opened,
    // Its reads wait until they show what was written.
    visibleWithin: Duration.zero,
    read: Effect.map(readShown(opened, domain), (snapshot) => ({
      ...snapshot,
      planWrites: (changes) =>
        Either.map(snapshot.planWrites(changes), (writes) =>
          writes.map(({ changes, send }) => ({
            changes,
            send: Effect.onExit(retryWhileLimited(send), (exit) => noteWrite(exit, { changes, domain, opened }))
          }))
        )
    }))
  })
  return {
    ...client,
    openZone: (request) =>
      request.zone !== root
        ? retryWhileLimited(client.openZone(request))
        : isAtOrBelow(request.domain, root)
          ? Effect.map(retryWhileLimited(client.openZone({ ...request, zone })), (opened) =>
              confine(opened, request.domain)
            )
          : Effect.dieMessage(`${request.domain} is outside ${root}`)
  }
}

/** Whether a write has failed so that nothing of it is made: then no list has to show it. */
const isNotMade = (exit: Exit.Exit<void, ZoneFailure>): boolean =>
  Exit.isFailure(exit) && Option.exists(Cause.failureOption(exit.cause), (failure) => failure._tag !== "OutcomeUnknown")

/** Waits and tries again when the vendor limits calls: it has done nothing then. */
const retryWhileLimited = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.catchAll(effect, (failure) =>
    failure instanceof ProviderFailure && failure.code === "provider_rate_limited"
      ? Effect.delay(retryWhileLimited(effect), failure.retryAfter ?? Duration.minutes(1))
      : Effect.fail(failure)
  )

const isRefusal = (failure: unknown): boolean =>
  failure instanceof ProviderFailure && /^apply_rejected$|^record_|^apex_cname/.test(failure.code)

const sendChanges = (snapshot: ZoneSnapshot, changes: ReadonlyArray<Change>) =>
  Effect.flatMap(snapshot.planWrites(changes), (writes) =>
    Effect.forEach(writes, ({ send }) => send, { discard: true })
  )

/** The deletions and creations that leave exactly these records in each of their sets. */
const planReplacement = ({ zone }: ZoneSnapshot, desired: ReadonlyArray<ChangeRecord>): ReadonlyArray<Change> => {
  const sets = new Set(desired.map(setOf))
  const desiredByKey = new Map(desired.map((record) => [keyOf(record), record]))
  const current = zone.records.filter((record) => isEditable(record) && sets.has(setOf(record)))
  const currentKeys = new Set(current.map(keyOf))
  return [
    ...current.filter((record) => !desiredByKey.has(keyOf(record))).map(toDeletion),
    ...[...desiredByKey]
      .filter(([key]) => !currentKeys.has(key))
      .map(([, after]) => ({ action: "create" as const, after, destructive: false }))
  ]
}

const keyOf = (record: ZoneRecord): string =>
  identityOf({ ...record, ...normalizeData(record), host: record.host.toLowerCase() })

const setOf = ({ host, type }: ZoneRecord): string => `${host.toLowerCase()} ${type}`

const toDeletion = (record: ZoneRecord): Change => ({
  action: "delete",
  before: { ...normalizeData(record), host: record.host.toLowerCase(), ttl: record.ttl, optional: false },
  destructive: true
})

/** The record in normal form, with a TTL that the zone takes. */
const toChangeRecord = (
  { data, name, ttl, type }: LabRecord,
  root: DomainName,
  { limits }: ZoneClient
): ChangeRecord => {
  const host = Option.getOrElse(toRelativeHost(name.replace(/\.$/, "").toLowerCase(), root), () => name)
  const record = { host, ...parseContent(type, data), ttl: toStorableTtl(ttl, limits.ttl) }
  return { ...record, ...normalizeData(record), optional: false }
}

const describe = (records: ReadonlyArray<ZoneRecord>, domain: DomainName): ReadonlyArray<string> =>
  records
    .filter(({ type }) => type !== "SOA")
    .map(({ host, priority, ttl, type, value }) =>
      [toFqdn(host, domain), ttl, type, ...(priority === undefined ? [] : [priority]), value].join(" ")
    )
    .toSorted()

/** A credential of the same kind with other secrets of the same length. */
const spoil = (credential: Credential): Credential => {
  const entries = Object.entries(credential).map(([name, value]) => [
    name,
    Redacted.isRedacted(value) ? Redacted.make("x".repeat(String(Redacted.value(value)).length)) : value
  ])
  return Object.fromEntries(entries)
}
