import { Duration, Effect, Either, Option } from "effect"
import type { Change } from "../../src/domain/Plan.ts"
import type { Zone } from "../../src/domain/Zone.ts"
import type { ZoneClient, ZoneSnapshot, ZoneWrite } from "../../src/providers/ProviderClient.ts"
import {
  OutcomeUnknown,
  ProviderFailure,
  type ProviderFailureCode,
  ZoneChanged
} from "../../src/providers/ProviderFailure.ts"
import { affectedNames, removedRecords } from "../../src/providers/adapters/affectedNames.ts"
import { applyChanges, exampleCom, isSameRecord } from "./planFixtures.ts"

/** What becomes of one call that writes, instead of what is asked. */
export type WriteBehavior = (honest: ZoneWrite["send"]) => ZoneWrite["send"]

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

const silence = new OutcomeUnknown({ code: "apply_timeout", detail: "no answer in time" })

export const dropRequest: WriteBehavior = () => Effect.fail(silence)

export const dropResponse: WriteBehavior = (send) => Effect.zipRight(send, silence)

export const failWithServerError: WriteBehavior = () =>
  Effect.fail(new OutcomeUnknown({ code: "provider_unavailable", detail: "500 Internal Server Error" }))

/**
 * A zone at a provider that does as it is told: each call that writes takes its turn of the script, and is honest after
 * the last. Like a server with conditions it refuses what was planned from another zone.
 */
export const scriptedZone = (
  zone: Zone,
  options: {
    readonly isAtomic?: boolean
    readonly around?: <A, E>(call: Effect.Effect<A, E>) => Effect.Effect<A, E>
  } = {}
) => {
  const { around = (call) => call, isAtomic = true } = options
  const state = { zone, script: [] as ReadonlyArray<WriteBehavior>, made: [] as ReadonlyArray<Change>, isDown: false }

  const writeOf = (changes: ReadonlyArray<Change>, base: { zone: Zone }): ZoneWrite => {
    const make = Effect.suspend(() => {
      if (standingAt(state.zone, changes) !== standingAt(base.zone, changes)) return Effect.fail(changed)
      state.zone = applyChanges(state.zone, changes)
      base.zone = applyChanges(base.zone, changes)
      state.made = [...state.made, ...changes]
      return Effect.void
    })
    const send = Effect.suspend(() => {
      const [turn = succeed, ...script] = state.script
      state.script = script
      return turn(make)
    })
    return { changes, send: around(send) }
  }

  const snapshotNow = (): ZoneSnapshot => {
    const base = { zone: state.zone }
    return {
      zone: state.zone,
      planWrites: (changes) =>
        Either.map(removedRecords(base.zone, changes), () =>
          isAtomic
            ? changes.length === 0
              ? []
              : [writeOf(changes, base)]
            : changes.map((change) => writeOf([change], base))
        )
    }
  }

  const client: ZoneClient = {
    checkRecord: () => Option.none(),
    read: around(
      Effect.suspend(() =>
        state.isDown
          ? new ProviderFailure({ code: "provider_unavailable", detail: "nobody answers" })
          : Effect.succeed(snapshotNow())
      )
    )
  }

  return {
    client,
    snapshotNow,
    /** The zone as it is. */
    now: () => state.zone,
    /** What was written by calls, in order. */
    made: () => state.made,
    /** What somebody else does. */
    become: (zone: Zone) => Effect.sync(() => void (state.zone = zone)),
    play: (...script: ReadonlyArray<WriteBehavior>) => Effect.sync(() => void (state.script = script)),
    setDown: (isDown: boolean) => Effect.sync(() => void (state.isDown = isDown))
  }
}

const changed = new ZoneChanged({ detail: "records at these names have changed since they were read" })

const standingAt = (zone: Zone, changes: ReadonlyArray<Change>): string => {
  const { at } = affectedNames(changes, { domain: exampleCom, zone: zone.name })
  const there = zone.records.filter(({ host }) =>
    at.has(host === "@" ? exampleCom : `${host.toLowerCase()}.${exampleCom}`)
  )
  return JSON.stringify(there.map((record) => JSON.stringify(record)).toSorted())
}

/** Whether both zones serve the same, spelling and TTLs aside. */
export const hasSameRecords = (one: Zone, other: Zone): boolean =>
  one.records.length === other.records.length &&
  one.records.every((record) => other.records.some((another) => isSameRecord(record, another)))
