import { expect } from "bun:test"
import { Either, FastCheck as fc, Option } from "effect"
import { ConnectionId } from "../../../src/domain/connection/Connection.ts"
import { zonesAfterEachChange } from "../../support/planFixtures.ts"
import { propertyRuns } from "../../support/propertyRuns.ts"
import { isValidZone } from "../arbitraries.ts"
import { declareProperties } from "../declareProperties.ts"
import {
  changeIntent,
  connectionIntentIn,
  disconnect,
  join,
  planIntentChangeIn,
  planRestoreIn,
  pristineZone,
  servedData,
  servedRecords,
  type SimulatedZone
} from "../restore/SimulatedZone.ts"
import { zone, zoneIntent } from "../restore/scenarios.ts"

/** The runs of the properties take a minute and more on a busy machine. */

const numRuns = propertyRuns(500)

const id = ConnectionId.make("con_changed")
const other = ConnectionId.make("con_other")

const declareProperty = declareProperties({
  inputs: fc.record({ zone, old: zoneIntent, desired: zoneIntent, beside: zoneIntent }),
  prepare: ({ beside, desired, old, zone }) => {
    const original = pristineZone(zone)
    const connected = join(original, { id, intent: old })
    return {
      original,
      old,
      desired,
      beside,
      connected,
      changed: connected.connections.length === 0 ? connected : changeIntent(connected, id, desired),
      /** Whether both intents can be planned for this zone. */
      isPossible: connected.connections.length > 0 && canConnect(original, desired)
    }
  },
  numRuns
})

const canConnect = (state: SimulatedZone, intent: SimulatedZone["connections"][number]["intent"]) =>
  join(state, { id, intent }).connections.length > state.connections.length

declareProperty(
  "after a change of the intent the zone is as if the connection had had the new one from the beginning",
  ({ changed, desired, isPossible, original }) => {
    if (isPossible) expect(servedRecords(changed)).toEqual(servedRecords(join(original, { id, intent: desired })))
  }
)

declareProperty(
  "after a change and a disconnect the zone is the original, byte for byte",
  ({ changed, isPossible, original }) => {
    if (!isPossible) return
    expect(servedRecords(disconnect(changed, id))).toEqual(servedRecords(original))
    expect(planRestoreIn(changed, connectionIntentIn(changed, id)).leftovers).toEqual([])
  }
)

declareProperty("a change to the same intent changes nothing", ({ connected, old }) => {
  if (connected.connections.length === 0) return
  expect(Either.getOrThrow(planIntentChangeIn(connected, id, old)).changes).toEqual([])
})

declareProperty("a change there and back gives the same zone, and a disconnect then the original", (prepared) => {
  const { changed, connected, isPossible, old, original } = prepared
  if (!isPossible) return
  const back = changeIntent(changed, id, old)
  expect(servedRecords(back)).toEqual(servedRecords(connected))
  expect(servedRecords(disconnect(back, id))).toEqual(servedRecords(original))
})

declareProperty("a change keeps the zone valid after every step, and a second one changes nothing", (prepared) => {
  const { changed, connected, desired, isPossible } = prepared
  if (!isPossible) return
  const { changes } = Either.getOrThrow(planIntentChangeIn(connected, id, desired))
  expect(zonesAfterEachChange(connected.zone, changes).filter(({ records }) => !isValidZone(records, true))).toEqual([])
  expect(Either.getOrThrow(planIntentChangeIn(changed, id, desired)).changes).toEqual([])
})

declareProperty(
  "with another connection that removed nothing, a change and both disconnects in any order give the original",
  ({ beside, connected, desired, old, original }) => {
    if (connected.connections.length === 0) return
    const joined = join(connected, { id: other, intent: beside })
    const repair = planIntentChangeIn(joined, id, old)
    if (!Option.exists(Either.getRight(repair), ({ changes }) => changes.length === 0)) return
    const changed = changeIntent(joined, id, desired)
    const ids = changed.connections.map((connection) => connection.id)
    for (const order of [ids, ids.toReversed()])
      expect(servedData(order.reduce((left, leaving) => disconnect(left, leaving), changed))).toEqual(
        servedData(original)
      )
  }
)
