import { Array, Clock, Duration, Effect, Either, Option, Order } from "effect"
import type { Change } from "../../src/domain/plan/Plan.ts"
import { anyTtl, type TtlRange } from "../../src/domain/provider/Provider.ts"
import type { Zone } from "../../src/domain/plan/Zone.ts"
import { computeResultingRecords } from "../../src/planning/changes/computeResultingRecords.ts"
import type { ZoneClient, ZoneSnapshot, ZoneWrite } from "../../src/providers/ProviderClient.ts"
import {
  OutcomeUnknown,
  ProviderFailure,
  type ProviderFailureCode,
  ZoneChanged
} from "../../src/providers/ProviderFailure.ts"
import { findAffectedNames, findRemovedRecords } from "../../src/providers/writing/AffectedNames.ts"
import { applyChanges, capabilities, exampleCom, isSameRecord } from "./planFixtures.ts"

/** Replaces the behavior of one write at the provider. */
export type WriteBehavior = (send: ZoneWrite["send"]) => ZoneWrite["send"]

export const succeed: WriteBehavior = (send) => send

export const rejectWith =
  (code: ProviderFailureCode, retryAfter?: Duration.DurationInput): WriteBehavior =>
  () =>
    Effect.fail(
      new ProviderFailure({
        code,
        detail: "the script says so",
        ...(retryAfter === undefined ? {} : { retryAfter: Duration.decode(retryAfter) })
      })
    )

const noResponse = new OutcomeUnknown({ code: "apply_timeout", detail: "no answer in time" })

export const dropRequest: WriteBehavior = () => Effect.fail(noResponse)

export const dropResponse: WriteBehavior = (send) => Effect.zipRight(send, noResponse)

export const failWithServerError: WriteBehavior = () =>
  Effect.fail(new OutcomeUnknown({ code: "provider_unavailable", detail: "500 Internal Server Error" }))

/**
 * A zone at a scripted provider: each write takes the next behavior of the script, and succeeds after the last. Like a
 * server with preconditions, it refuses a write that was planned from a different zone. One whose list lags has no
 * preconditions: it creates a record as often as requested.
 */
export const scriptedZone = (
  zone: Zone,
  options: {
    readonly isAtomic?: boolean
    /** Whether calls of one change each remove all that goes before they create anything. */
    readonly removesFirst?: boolean
    /** How long a write takes to show in the list, and how long the provider says that it takes at most. */
    readonly lag?: Duration.DurationInput
    readonly visibleWithin?: Duration.DurationInput
    /** Whether a call can replace one record by another. */
    readonly hasUpdate?: boolean
    readonly around?: <A, E>(call: Effect.Effect<A, E>) => Effect.Effect<A, E>
  } = {}
) => {
  const {
    around = (call) => call,
    hasUpdate = true,
    isAtomic = true,
    lag,
    removesFirst = false,
    visibleWithin = lag
  } = options
  const state = {
    zone,
    ttl: anyTtl,
    hasUpdate,
    isAtomic,
    lag,
    visibleWithin,
    script: [] as ReadonlyArray<WriteBehavior>,
    made: [] as ReadonlyArray<Change>,
    refusedTypes: [] as ReadonlyArray<string>,
    isDown: false
  }
  /** The states of the zone that a list may still show, each with the time of the write that ended it. */
  const formerZones: globalThis.Array<{ readonly zone: Zone; readonly endedAt: number }> = []

  const writeOf = (changes: ReadonlyArray<Change>, base: { zone: Zone }): ZoneWrite => {
    const write = Effect.gen(function* () {
      const endedAt = yield* Clock.currentTimeMillis
      const isPossible =
        state.lag === undefined
          ? recordsAt(state.zone, changes) === recordsAt(base.zone, changes)
          : Either.isRight(findRemovedRecords(state.zone, changes))
      if (!isPossible) return yield* changed
      if (!state.hasUpdate && changes.some(({ action }) => action === "update")) return yield* Effect.die(noUpdate)
      const makeChanges = state.lag === undefined ? applyChanges : applyWithoutConditions
      formerZones.push({ zone: state.zone, endedAt })
      state.zone = makeChanges(state.zone, changes)
      base.zone = makeChanges(base.zone, changes)
      state.made = [...state.made, ...changes]
    })
    const send = Effect.suspend(() => {
      const [behave = succeed, ...script] = state.script
      state.script = script
      return behave(write)
    })
    return { changes, send: around(send) }
  }

  const checkRecord: ZoneClient["checkRecord"] = ({ host, type }) =>
    state.refusedTypes.includes(type)
      ? Option.some(new ProviderFailure({ code: "record_type_unsupported", detail: `${type} ${host} is not written` }))
      : Option.none()

  const requireWritable = (changes: ReadonlyArray<Change>): Either.Either<void, ProviderFailure> =>
    Option.match(Array.head(changes.flatMap(({ after }) => (after ? Option.toArray(checkRecord(after)) : []))), {
      onNone: () => Either.void,
      onSome: Either.left
    })

  const snapshotOf = (zone: Zone): ZoneSnapshot => {
    const base = { zone }
    return {
      zone,
      planWrites: (changes) =>
        Either.map(Either.andThen(requireWritable(changes), findRemovedRecords(base.zone, changes)), () =>
          state.isAtomic
            ? changes.length === 0
              ? []
              : [writeOf(changes, base)]
            : (removesFirst ? Array.sort(changes, removalsFirst) : changes).map((change) => writeOf([change], base))
        )
    }
  }

  const snapshotNow = () => snapshotOf(state.zone)

  const listZone = Effect.map(Clock.currentTimeMillis, (now) => {
    const shownUntil = now - Duration.toMillis(state.lag ?? 0)
    return snapshotOf(formerZones.find(({ endedAt }) => endedAt > shownUntil)?.zone ?? state.zone)
  })

  const client: ZoneClient = {
    get limits() {
      return { capabilities: capabilities("supported"), ttl: state.ttl }
    },
    get visibleWithin() {
      return Duration.decode(state.visibleWithin ?? 0)
    },
    canUpdate: () => state.hasUpdate,
    checkRecord,
    read: around(
      Effect.suspend(() =>
        state.isDown ? new ProviderFailure({ code: "provider_unavailable", detail: "nobody answers" }) : listZone
      )
    )
  }

  return {
    client,
    snapshotNow,
    /** The current zone. */
    now: () => state.zone,
    /** The changes that calls have written, in order. */
    made: () => state.made,
    /** Replaces the zone, as somebody else would. */
    become: (zone: Zone) => Effect.sync(() => void (state.zone = zone)),
    /** The zone stores only these TTLs, as it says once it is opened. */
    storeTtls: (ttl: TtlRange) => Effect.sync(() => void (state.ttl = ttl)),
    /** The list shows each write only after this time. */
    lagBy: (lag: Duration.DurationInput) =>
      Effect.sync(() => {
        state.lag = lag
        state.visibleWithin = lag
      }),
    /** Records of these types are stored, but cannot be written. */
    refuseTypes: (...types: ReadonlyArray<string>) => Effect.sync(() => void (state.refusedTypes = types)),
    /** Each call makes only one change from now on. */
    writeInSingleCalls: Effect.sync(() => void (state.isAtomic = false)),
    /** No call replaces a record by another any more. */
    removeUpdate: Effect.sync(() => void (state.hasUpdate = false)),
    play: (...script: ReadonlyArray<WriteBehavior>) => Effect.sync(() => void (state.script = script)),
    setDown: (isDown: boolean) => Effect.sync(() => void (state.isDown = isDown))
  }
}

const removalsFirst = Order.mapInput(Order.boolean, ({ after }: Change) => after !== undefined)

const noUpdate = "this provider cannot update a record"

const changed = new ZoneChanged({ detail: "records at these names have changed since they were read" })

const applyWithoutConditions = (zone: Zone, changes: ReadonlyArray<Change>): Zone => ({
  ...zone,
  records: computeResultingRecords(zone, changes)
})

const recordsAt = (zone: Zone, changes: ReadonlyArray<Change>): string => {
  const { at } = findAffectedNames(changes, { domain: exampleCom, zone: zone.name })
  const records = zone.records.filter(({ host }) =>
    at.has(host === "@" ? exampleCom : `${host.toLowerCase()}.${exampleCom}`)
  )
  return JSON.stringify(records.map((record) => JSON.stringify(record)).toSorted())
}

/** Whether both zones have the same records, ignoring spelling and TTLs. */
export const hasSameRecords = (first: Zone, second: Zone): boolean =>
  first.records.length === second.records.length &&
  first.records.every((record) => second.records.some((other) => isSameRecord(record, other)))
