import { Context, Effect, Layer, Option } from "effect"
import { ApplicationId, type Tenancy, TenantId } from "../domain/access/Tenancy.ts"
import type { TestRecordSet, TestZone } from "../domain/testmode/TestZone.ts"
import type { StoreUnavailable } from "../persistence/StoreUnavailable.ts"
import { type TestZoneAudit, TestZoneStore } from "../persistence/stores/testmode/TestZoneStore.ts"
import { initialSetsOf, type TestZoneName } from "./TestZoneName.ts"

/** A zone of test mode as its provider stores it now, and as its name servers show it. */
interface CurrentTestZone extends TestZone, TestZoneName {
  /** The record sets that the n-th name server of the zone serves, from 0. */
  readonly shownAt: (server: number) => ReadonlyArray<TestRecordSet>
}

/** The content of a zone after one call; without `sets` the call is only counted. */
interface TestZoneCall {
  readonly sets?: ReadonlyArray<TestRecordSet>
}

/** The zones of test mode: the records of each tenant, and the events that happen to them as time passes. */
export class TestZones extends Context.Tag("testmode/TestZones")<
  TestZones,
  {
    readonly read: (tenancy: Tenancy, name: TestZoneName) => Effect.Effect<CurrentTestZone, StoreUnavailable>
    /** Counts a call at the provider, and writes its records; false if the zone has changed since it was read. */
    readonly call: (
      tenancy: Tenancy,
      before: CurrentTestZone,
      call: TestZoneCall
    ) => Effect.Effect<boolean, StoreUnavailable>
    /** Writes to a zone without a call at the provider, as its owner does; false if it has changed since it was read. */
    readonly write: (
      tenancy: Tenancy,
      before: CurrentTestZone,
      sets: ReadonlyArray<TestRecordSet>,
      call: TestZoneAudit
    ) => Effect.Effect<boolean, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    TestZones,
    Effect.map(TestZoneStore, (store) => ({
      read: (tenancy, name) => Effect.map(store.find(tenancy, name.zone), (stored) => toCurrent(name, stored)),
      call: (tenancy, { calls, former, sets, shownAt, version, zone }, call) =>
        store.save(tenancy, zone, {
          sets: call.sets ?? sets,
          // Until a write is visible, the servers serve the records from before it.
          former: call.sets === undefined ? former : shownAt(lastServer),
          calls: calls + 1,
          version
        }),
      write: (tenancy, { calls, shownAt, version, zone }, sets, call) =>
        store.save(tenancy, zone, { sets, former: shownAt(lastServer), calls, version, call })
    }))
  )
}

const toCurrent = (name: TestZoneName, stored: Option.Option<TestZone>): CurrentTestZone => {
  const initial = initialSetsOf(name)
  const zone = Option.getOrElse(stored, () => untouched(initial))
  const { losesAfterSeconds = Infinity, showsAfter } = name.domain
  const isLost = zone.version > 0 && zone.secondsSinceWrite >= losesAfterSeconds
  const sets = isLost ? initial : zone.sets
  const isHiddenAt = (server: number) =>
    showsAfter !== undefined &&
    zone.version > 0 &&
    zone.secondsSinceWrite < showsAfter.seconds &&
    (showsAfter.at === "all" || server > 0)
  return { ...zone, ...name, sets, shownAt: (server) => (isHiddenAt(server) ? zone.former : sets) }
}

const untouched = (sets: ReadonlyArray<TestRecordSet>): TestZone => ({
  sets,
  former: sets,
  calls: 0,
  version: 0,
  secondsSinceWrite: 0
})

/** Whether a zone is too large: every question reads all of it, and a tenant's must not keep others waiting. */
export const isTooLarge = (sets: ReadonlyArray<TestRecordSet>): boolean => {
  const contents = sets.flatMap(({ records }) => records.map(({ content }) => content.length))
  return contents.length > maxRecords || contents.reduce((sum, length) => sum + length, 0) > maxCharacters
}

const maxRecords = 500
const maxCharacters = 128_000

/** The server that shows a write last. */
const lastServer = 1

/** The tenant on whose behalf something asks, as `Requester` names it. */
export const readRequester = (requester: string): Tenancy => {
  const [applicationId = "", tenantId = ""] = requester.split("/")
  return { applicationId: ApplicationId.make(applicationId), tenantId: TenantId.make(tenantId) }
}
