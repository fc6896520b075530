import { expect, test } from "bun:test"
import { ConnectionId } from "../../../src/domain/connection/Connection.ts"
import { describeChange, desiredRecords, exampleCom, intentFor, zoneOf } from "../../support/planFixtures.ts"
import { connectionIntentIn, join, planRestoreIn, pristineZone } from "./SimulatedZone.ts"

const policyOf = (...names: ReadonlyArray<string>) =>
  ["v=spf1", ...names.map((name) => `include:${name}.example.net`), "-all"].join(" ")

test("a policy that two connections share keeps what the wildcard before them permitted, whichever leaves", () => {
  const zone = pristineZone(zoneOf(`* 300 TXT ${policyOf("corp")}`))
  const shared = ["a", "b"].reduce((state, name) => {
    const intent = intentFor(exampleCom, desiredRecords(`shop 300 TXT v=spf1 include:${name}.example.net ~all`))
    return join(state, { id: ConnectionId.make(`con_${name}`), intent })
  }, zone)
  const changesWithout = (name: string) =>
    planRestoreIn(shared, connectionIntentIn(shared, `con_${name}`)).changes.map(describeChange)
  const left = (name: string) =>
    `update! | shop 300 TXT ${policyOf("corp", "a", "b")} | shop 300 TXT ${policyOf("corp", name)}`
  expect([changesWithout("a"), changesWithout("b")]).toEqual([[left("b")], [left("a")]])
})
