import { expect } from "bun:test"
import { Effect } from "effect"
import { effect } from "../../support/effectTest.ts"
import { desiredRecords, planOrThrow, zoneOf } from "../../support/planFixtures.ts"
import { rejectWith, scriptedZone, succeed, type WriteBehavior } from "../../support/scriptedZone.ts"
import { apply, completesWithin, requestAt, withPlanApplier } from "./applyFixtures.ts"

const hosts = ["blog", "docs", "shop"]
const start = zoneOf(...hosts.map((host) => `${host} 300 A 192.0.2.1`))
const { changes } = planOrThrow({
  zone: start,
  desired: desiredRecords(...hosts.map((host) => `${host} 300 CNAME web.example.net`))
})

/** What the failure of the plan says of its changes, at a provider that deletes all addresses first. */
const messagesAfter = (...script: ReadonlyArray<WriteBehavior>) =>
  withPlanApplier(
    Effect.gen(function* () {
      const at = scriptedZone(start, { isAtomic: false, removesFirst: true })
      yield* at.play(...script)
      const failure = yield* completesWithin("10 seconds", Effect.flip(apply(requestAt(at, changes))))
      return failure._tag === "ApplyFailed" ? failure.changes.map(({ message }) => message) : failure._tag
    })
  )

const reject = rejectWith("record_value_rejected")
const deletions = [succeed, succeed, succeed]

effect("a failure says of each change whether the zone has it, also of those that were undone", () =>
  Effect.gen(function* () {
    expect(yield* messagesAfter(...deletions, succeed, reject, succeed, reject)).toEqual([
      "Of 6 changes of the plan: 1 made in vain and not undone, 2 not made, 1 undone, 2 made",
      "Delete A at shop.example.com (192.0.2.1): made in vain and not undone",
      "Add CNAME at docs.example.com (web.example.net): not made",
      "Add CNAME at shop.example.com (web.example.net): not made",
      "Delete A at docs.example.com (192.0.2.1): undone",
      "Delete A at blog.example.com (192.0.2.1): made",
      "Add CNAME at blog.example.com (web.example.net): made"
    ])
  })
)

effect("a failure that leaves the zone as it was lists no changes", () =>
  Effect.gen(function* () {
    expect(yield* messagesAfter(reject)).toEqual([])
  })
)
