import { expect, test } from "bun:test"
import { holdsPolicyChange } from "../../../src/planning/restore/revertPolicy.ts"
import { toLiveZone } from "../../../src/planning/zone/LiveZone.ts"
import { ConnectionId } from "../../../src/domain/connection/Connection.ts"
import type { Change } from "../../../src/domain/plan/Plan.ts"
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

/** Whether a zone with one policy holds the change of another one. */
const holds = (served: string, after: string, before?: string) => {
  const [record, old] = [after, before].map((text) => zoneOf(`${text}`).records[0])
  const toChange = (each: typeof record) => each && { ...each, optional: false }
  const change = {
    action: "update",
    destructive: false,
    ...(before && { before: toChange(old) }),
    after: toChange(record)
  }
  return holdsPolicyChange(toLiveZone(zoneOf(served), exampleCom), change as Change)
}

const spf = (terms: string) => `@ 300 TXT v=spf1 ${terms}`

const dmarc = (tags: string) => `_dmarc 300 TXT v=DMARC1; ${tags}`

test("a policy holds a change only if it has what the change added", () => {
  expect([
    holds(
      spf("include:a.test include:ours.test include:new.test ~all"),
      spf("include:a.test include:ours.test ~all"),
      spf("include:a.test ~all")
    ),
    holds(
      spf("include:a.test include:new.test ~all"),
      spf("include:a.test include:ours.test ~all"),
      spf("include:a.test ~all")
    ),
    holds(spf("~all"), spf("include:x.test ~all"), spf("-include:x.test ~all")),
    holds(spf("include:new.test ~all"), spf("include:ours.test ~all")),
    holds(dmarc("p=none; rua=mailto:ours@x.test; sp=none"), dmarc("p=none; rua=mailto:ours@x.test"), dmarc("p=none")),
    holds(dmarc("p=none; sp=none"), dmarc("p=none"), dmarc("p=none; pct=50")),
    holds(dmarc("p=none; sp=none"), dmarc("p=none"))
  ]).toEqual([true, false, false, false, true, false, false])
})
