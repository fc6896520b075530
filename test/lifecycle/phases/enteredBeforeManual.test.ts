import { describe, expect } from "bun:test"
import { Effect } from "effect"
import type { ConnectionId } from "../../../src/domain/connection/Connection.ts"
import type { IntentRequest } from "../../../src/domain/connection/Intent.ts"
import { zoneOf } from "../../support/planFixtures.ts"
import { challengeOf } from "../control/controlSteps.ts"
import {
  commandsFor,
  controlTest,
  createDiscovered,
  platform,
  readPlannedChanges,
  readState,
  type ScriptedProvider
} from "./scriptedProvider.ts"

const shop = "shop 3600 CNAME shops.example.net"

const blog = "blog 3600 CNAME shops.example.net"

const blogRecord = { host: "blog", type: "CNAME", value: "shops.example.net" } as const

const rest = ["@ 300 MX 10 mail.example.com", "mail 300 A 192.0.2.2"]

/** The changes that a disconnect by hand lists, without the one that removes the challenge. */
const listUndone = (id: ConnectionId) =>
  Effect.gen(function* () {
    yield* commandsFor(id).disconnect
    expect(yield* readState(id)).toBe("disconnecting")
    return (yield* readPlannedChanges(id))?.filter((change) => !change.includes("_domain-connection"))
  })

/** The customer enters these lines, and the challenge if the connection asks for it. */
const activate = (acme: ScriptedProvider, id: ConnectionId, ...lines: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    yield* acme.become(zoneOf(...lines))
    yield* commandsFor(id).recheck
    if ((yield* readState(id)) !== "active") yield* acme.become(zoneOf(...lines, yield* challengeOf(id)))
    yield* commandsFor(id).recheck
    expect(yield* readState(id)).toBe("active")
  })

/** What the customer does with a zone between two looks at the plan, and what a disconnect by hand lists in the end. */
interface EnteredPlan {
  readonly title: string
  readonly records: IntentRequest["records"]
  readonly before: ReadonlyArray<string>
  /** The zone when manual setup is chosen. */
  readonly entered: ReadonlyArray<string>
  /** The zone in the end, where the customer enters the rest later. */
  readonly complete?: ReadonlyArray<string>
  readonly undone: ReadonlyArray<string>
}

const site = { host: "@", type: "A", value: "192.0.2.77" } as const

const stories: ReadonlyArray<EnteredPlan> = [
  {
    title: "an added record",
    records: [platform],
    before: rest,
    entered: [...rest, shop],
    undone: [`delete! | ${shop}`]
  },
  {
    title: "a replaced record",
    records: [site],
    before: ["@ 300 A 192.0.2.1", ...rest],
    entered: ["@ 3600 A 192.0.2.77", ...rest],
    undone: ["update! | @ 3600 A 192.0.2.77 | @ 300 A 192.0.2.1"]
  },
  {
    title: "deleted records",
    records: [platform],
    before: [...rest, "shop 300 A 192.0.2.3", "shop 300 A 192.0.2.4"],
    entered: [...rest, shop],
    undone: [`delete! | ${shop}`, "create | shop 300 A 192.0.2.3", "create | shop 300 A 192.0.2.4"]
  },
  {
    title: "a merged policy",
    records: [{ host: "@", type: "TXT", value: "v=spf1 include:spf.example.net -all" }, platform],
    before: [...rest, "@ 300 TXT v=spf1 mx -all"],
    entered: [...rest, "@ 300 TXT v=spf1 mx include:spf.example.net -all", shop],
    undone: [
      "update! | @ 300 TXT v=spf1 mx include:spf.example.net -all | @ 300 TXT v=spf1 mx -all",
      `delete! | ${shop}`
    ]
  },
  {
    title: "half of two records",
    records: [platform, blogRecord],
    before: rest,
    entered: [...rest, blog],
    complete: [...rest, blog, shop],
    undone: [`delete! | ${blog}`, `delete! | ${shop}`]
  },
  {
    title: "only the deletions",
    records: [platform],
    before: [...rest, "shop 300 A 192.0.2.3", "shop 300 A 192.0.2.4"],
    entered: rest,
    complete: [...rest, shop],
    undone: [`delete! | ${shop}`, "create | shop 300 A 192.0.2.3", "create | shop 300 A 192.0.2.4"]
  },
  {
    title: "one of two deletions",
    records: [platform],
    before: [...rest, "shop 300 A 192.0.2.3", "shop 300 A 192.0.2.4"],
    entered: [...rest, "shop 300 A 192.0.2.4"],
    complete: [...rest, shop],
    undone: [`delete! | ${shop}`, "create | shop 300 A 192.0.2.3", "create | shop 300 A 192.0.2.4"]
  },
  {
    title: "half of a replacement, the removal",
    records: [site],
    before: ["@ 300 A 192.0.2.1", ...rest],
    entered: rest,
    complete: ["@ 3600 A 192.0.2.77", ...rest],
    undone: ["update! | @ 3600 A 192.0.2.77 | @ 300 A 192.0.2.1"]
  },
  {
    title: "half of a replacement, the new record",
    records: [site],
    before: ["@ 300 A 192.0.2.1", ...rest],
    entered: ["@ 300 A 192.0.2.1", "@ 3600 A 192.0.2.77", ...rest],
    complete: ["@ 3600 A 192.0.2.77", ...rest],
    undone: ["update! | @ 3600 A 192.0.2.77 | @ 300 A 192.0.2.1"]
  },
  {
    title: "nothing, but changed what the plan deletes",
    records: [platform],
    before: [...rest, "shop 300 A 192.0.2.3"],
    entered: [...rest, "shop 300 A 192.0.2.9"],
    complete: [...rest, shop],
    undone: [`delete! | ${shop}`, "create | shop 300 A 192.0.2.9"]
  },
  {
    title: "nothing, but changed what the plan replaces",
    records: [site],
    before: ["@ 300 A 192.0.2.1", ...rest],
    entered: ["@ 300 A 192.0.2.9", ...rest],
    complete: ["@ 3600 A 192.0.2.77", ...rest],
    undone: ["update! | @ 3600 A 192.0.2.77 | @ 300 A 192.0.2.9"]
  },
  {
    title: "one record, beside one that stood before",
    records: [platform, blogRecord],
    before: [...rest, shop],
    entered: [...rest, shop, blog],
    undone: [`delete! | ${blog}`]
  }
]

describe("a disconnect by hand lists exactly what the customer entered", () => {
  for (const { before, complete, entered, records, title, undone } of stories) {
    const finish = (acme: ScriptedProvider, id: ConnectionId) =>
      Effect.gen(function* () {
        yield* activate(acme, id, ...(complete ?? entered))
        expect(new Set(yield* listUndone(id))).toEqual(new Set(undone))
      })

    controlTest(`before manual setup was chosen: ${title}`, (acme) =>
      Effect.gen(function* () {
        yield* acme.become(zoneOf(...before))
        const id = yield* createDiscovered(records)
        yield* acme.become(zoneOf(...entered))
        yield* commandsFor(id).chooseManual
        yield* finish(acme, id)
      })
    )

    controlTest(`while the plan was made again for the manual setup: ${title}`, (acme) =>
      Effect.gen(function* () {
        yield* acme.become(zoneOf(...before))
        const id = yield* createDiscovered(records)
        yield* acme.beforeNextDiscovery(acme.become(zoneOf(...entered)))
        yield* commandsFor(id).chooseManual
        yield* finish(acme, id)
      })
    )

    controlTest(`before an authorization that failed, and a plan that was made a third time: ${title}`, (acme) =>
      Effect.gen(function* () {
        yield* acme.become(zoneOf(...before))
        const id = yield* createDiscovered(records)
        yield* acme.become(zoneOf(...entered))
        yield* acme.refuse("credential_invalid")
        yield* commandsFor(id).authorize()
        expect(yield* readState(id)).toContain("credential_invalid")
        yield* commandsFor(id).retry
        yield* commandsFor(id).chooseManual
        yield* finish(acme, id)
      })
    )
  }
})

describe("records that stood before the connection was planned", () => {
  controlTest("stay after a manual setup that asked for the challenge alone", (acme) =>
    Effect.gen(function* () {
      yield* acme.become(zoneOf(...rest, shop))
      const id = yield* createDiscovered()
      expect(yield* readState(id)).toBe("verifying")
      yield* activate(acme, id, ...rest, shop)
      expect(yield* listUndone(id)).toEqual([])
    })
  )
})

describe("a plan that the zone does not show as entered", () => {
  controlTest(
    "leaves records alone that the provider always had while the public DNS showed others",
    (acme) =>
      Effect.gen(function* () {
        yield* acme.become(zoneOf(...rest, shop))
        yield* acme.serve(...rest, "shop 300 A 203.0.113.80")
        const id = yield* createDiscovered()
        expect(yield* readPlannedChanges(id)).toContain(`create | ${shop}`)
        yield* acme.serveZone
        yield* commandsFor(id).authorize()
        expect(yield* readState(id)).toBe("active")
        yield* commandsFor(id).disconnect
        expect([yield* readState(id), yield* readPlannedChanges(id)]).toEqual(["disconnected", []])
      }),
    "off"
  )

  controlTest("can be canceled with half of it entered, as long as its records were not verified", (acme) =>
    Effect.gen(function* () {
      yield* acme.become(zoneOf(...rest))
      const id = yield* createDiscovered([platform, blogRecord])
      yield* acme.become(zoneOf(...rest, blog))
      yield* commandsFor(id).chooseManual
      yield* commandsFor(id).cancel
      expect(yield* readState(id)).toBe("canceled")
    })
  )
})

describe("a plan that the platform replaces by that of another intent", () => {
  controlTest("counts as entered where the zone shows its changes", (acme) =>
    Effect.gen(function* () {
      yield* acme.become(zoneOf(...rest, "shop 300 A 192.0.2.3"))
      const id = yield* createDiscovered([platform])
      yield* acme.become(zoneOf(...rest, shop))
      yield* commandsFor(id).changeIntent([blogRecord])
      yield* commandsFor(id).chooseManual
      yield* activate(acme, id, ...rest, shop, blog)
      expect(new Set(yield* listUndone(id))).toEqual(
        new Set([`delete! | ${blog}`, `delete! | ${shop}`, "create | shop 300 A 192.0.2.3"])
      )
    })
  )

  controlTest("does not count where the customer changed the records of its deletions", (acme) =>
    Effect.gen(function* () {
      yield* acme.become(zoneOf(...rest, "shop 300 A 192.0.2.3"))
      const id = yield* createDiscovered([platform])
      yield* acme.become(zoneOf(...rest, "shop 300 A 192.0.2.9"))
      yield* commandsFor(id).changeIntent([blogRecord])
      yield* commandsFor(id).chooseManual
      yield* activate(acme, id, ...rest, "shop 300 A 192.0.2.9", blog)
      expect(yield* listUndone(id)).toEqual([`delete! | ${blog}`])
    })
  )

  controlTest("is removed with the connection, if it was half entered and given up", (acme) =>
    Effect.gen(function* () {
      yield* acme.become(zoneOf(...rest))
      const id = yield* createDiscovered([platform])
      yield* acme.become(zoneOf(...rest, shop))
      yield* commandsFor(id).chooseManual
      yield* activate(acme, id, ...rest, shop)
      yield* commandsFor(id).changeIntent([platform, blogRecord])
      yield* acme.become(zoneOf(...rest, shop, blog))
      yield* commandsFor(id).cancel
      expect(yield* readState(id)).toBe("active")
      expect(new Set(yield* listUndone(id))).toEqual(new Set([`delete! | ${shop}`, `delete! | ${blog}`]))
    })
  )

  controlTest("is removed with the connection, if that is disconnected while the plan waits half entered", (acme) =>
    Effect.gen(function* () {
      yield* acme.become(zoneOf(...rest))
      const id = yield* createDiscovered([platform])
      yield* acme.become(zoneOf(...rest, shop))
      yield* commandsFor(id).chooseManual
      yield* activate(acme, id, ...rest, shop)
      yield* commandsFor(id).changeIntent([platform, blogRecord])
      yield* acme.become(zoneOf(...rest, shop, blog))
      expect(new Set(yield* listUndone(id))).toEqual(new Set([`delete! | ${shop}`, `delete! | ${blog}`]))
    })
  )
})
