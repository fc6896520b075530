import { describe, expect } from "bun:test"
import { Duration, Effect } from "effect"
import type { ProviderFailureCode } from "../../../src/providers/ProviderFailure.ts"
import { Tables } from "../../support/memory/Tables.ts"
import { zoneOf } from "../../support/planFixtures.ts"
import { dropRequest, dropResponse, hasSameRecords, rejectWith } from "../../support/scriptedZone.ts"
import {
  acmeTest,
  advanceTime,
  commandsFor,
  createDiscovered,
  readConnection,
  readConnectionRecord,
  readPlannedChanges,
  readState,
  zoneWith
} from "./acme.ts"

const mail = { host: "@", type: "MX", value: "mx.example.net" } as const

describe("from the authorization on", () => {
  acmeTest("a connection is planned from the provider's zone, approved, written, verified and active", (acme) =>
    Effect.gen(function* () {
      const id = yield* createDiscovered()
      yield* commandsFor(id).letIn()
      expect([yield* readState(id), (yield* readConnection(id)).plan?.basis, yield* readPlannedChanges(id)]).toEqual([
        "planned",
        "provider",
        ["create | shop 3600 CNAME shops.example.net"]
      ])
      expect(acme.made()).toEqual([])
      yield* commandsFor(id).approve()
      expect([yield* readState(id), (yield* readConnection(id)).plan?.warnings]).toEqual(["active", []])
      expect(hasSameRecords(acme.now(), zoneWith("shop 3600 CNAME shops.example.net"))).toBe(true)
      const { connections, credentials } = yield* Tables
      expect(connections.get(id)?.events.map(({ to }) => to)).toEqual([
        "requested",
        "awaiting_authorization",
        "authorized",
        "planned",
        "applying",
        "verifying",
        "active"
      ])
      expect(credentials.size).toBe(0)
    })
  )

  acmeTest("a consent that came along is one click", () =>
    Effect.gen(function* () {
      const id = yield* createDiscovered()
      const { plan } = yield* readConnection(id)
      yield* commandsFor(id).letIn(plan && { digest: plan.digest, acknowledged: [] })
      expect(yield* readState(id)).toBe("active")
    })
  )

  acmeTest("a consent that came along to other changes than the provider's zone asks for waits", (acme) =>
    Effect.gen(function* () {
      yield* acme.serve("@ 300 A 192.0.2.1", "shop 300 A 192.0.2.9")
      const id = yield* createDiscovered()
      const { plan } = yield* readConnection(id)
      yield* commandsFor(id).letIn(plan && { digest: plan.digest, acknowledged: [] })
      expect([yield* readState(id), (yield* readConnection(id)).plan?.warnings]).toEqual([
        "planned",
        ["provider_zone_differs_from_public_dns"]
      ])
    })
  )

  acmeTest("what costs mail waits until that is acknowledged by name", () =>
    Effect.gen(function* () {
      const id = yield* createDiscovered([mail])
      yield* commandsFor(id).letIn()
      const { plan } = yield* readConnection(id)
      expect(yield* Effect.flip(commandsFor(id).approve())).toMatchObject({ code: "acknowledgement_required" })
      expect(yield* readState(id)).toBe("planned")
      yield* commandsFor(id).approve(...(plan?.warnings ?? []))
      expect(yield* readState(id)).toBe("active")
    })
  )

  acmeTest("a zone that holds everything already is only verified, and that somebody may change it is proven", (acme) =>
    Effect.gen(function* () {
      yield* acme.serve("@ 300 A 192.0.2.1")
      const id = yield* createDiscovered([{ host: "mail", type: "A", value: "192.0.2.2" }])
      expect(yield* readState(id)).toBe("awaiting_authorization")
      yield* acme.serveZone
      yield* commandsFor(id).letIn()
      expect([yield* readState(id), (yield* readConnection(id)).plan?.warnings]).toEqual([
        "active",
        ["provider_zone_differs_from_public_dns"]
      ])
      expect(acme.made()).toEqual([])
    })
  )

  acmeTest("a plan that nobody approves is made anew while the credential lives, and expires then", () =>
    Effect.gen(function* () {
      const id = yield* createDiscovered()
      yield* commandsFor(id).letIn()
      const first = (yield* readConnection(id)).plan
      yield* advanceTime("15 minutes")
      const second = (yield* readConnection(id)).plan
      expect([yield* readState(id), second?.digest]).toEqual(["planned", first?.digest])
      expect(second?.expiresAt).not.toEqual(first?.expiresAt)
      yield* Effect.forEach([1, 2, 3], () => advanceTime("15 minutes"))
      expect(yield* readState(id)).toBe("expired")
    })
  )

  acmeTest("nobody lets the service in for seven days", () =>
    Effect.gen(function* () {
      const id = yield* createDiscovered()
      yield* advanceTime(Duration.subtract("7 days", "1 second"))
      expect(yield* readState(id)).toBe("awaiting_authorization")
      yield* advanceTime("1 second")
      expect(yield* readState(id)).toBe("expired")
    })
  )
})

describe("a zone that changes", () => {
  const approved = Effect.gen(function* () {
    const id = yield* createDiscovered()
    yield* commandsFor(id).letIn()
    return id
  })
  const taken = zoneOf("@ 300 A 192.0.2.1", "shop 300 A 192.0.2.9")

  acmeTest("between the plan and the writing is not written, and its new plan waits", (acme) =>
    Effect.gen(function* () {
      const id = yield* approved
      yield* acme.become(taken)
      yield* commandsFor(id).approve()
      expect([yield* readState(id), acme.made()]).toEqual(["planned", []])
      expect(yield* readPlannedChanges(id)).toEqual([
        "delete! | shop 300 A 192.0.2.9",
        "create | shop 3600 CNAME shops.example.net"
      ])
    })
  )

  acmeTest("under the very write is not written, and its new plan waits", (acme) =>
    Effect.gen(function* () {
      const id = yield* approved
      yield* acme.play((honest) => Effect.zipRight(acme.become(taken), honest))
      yield* commandsFor(id).approve()
      expect([yield* readState(id), acme.made(), (yield* readPlannedChanges(id))?.length]).toEqual(["planned", [], 2])
      expect((yield* readConnectionRecord(id)).progress.wrote).toBe(false)
    })
  )

  acmeTest("elsewhere is written as it was approved", (acme) =>
    Effect.gen(function* () {
      const id = yield* approved
      yield* acme.become(zoneOf("@ 300 A 192.0.2.7"))
      yield* commandsFor(id).approve()
      expect([yield* readState(id), acme.made().length]).toEqual(["active", 1])
    })
  )

  const alone = ["ns1.acme-dns.net"]
  const both = [...alone, "ada.ns.cloudflare.com"]
  for (const [saidBy, parent, zone] of [
    ["parent and zone say", both, both],
    ["the parent says", both, alone],
    ["the zone says", alone, both]
  ] as const) {
    acmeTest(`to be another provider's too, as ${saidBy}, is not written any more`, (acme) =>
      Effect.gen(function* () {
        const id = yield* approved
        yield* acme.moveTo(...parent)
        yield* acme.list(...zone)
        yield* commandsFor(id).approve()
        expect([yield* readState(id), acme.made()]).toEqual([
          "failed: authorization_zone_mismatch → awaiting_authorization",
          []
        ])
        yield* commandsFor(id).retry
        expect((yield* readConnection(id)).provider).toMatchObject({ id: "acme-dns", implementation: "manual" })
      })
    )
  }

  acmeTest("its provider is not written any more", (acme) =>
    Effect.gen(function* () {
      const id = yield* approved
      yield* acme.moveTo("ada.ns.cloudflare.com")
      yield* commandsFor(id).approve()
      expect([yield* readState(id), acme.made()]).toEqual([
        "failed: authorization_zone_mismatch → awaiting_authorization",
        []
      ])
    })
  )
})

describe("a provider that", () => {
  for (const [code, resumeState] of [
    ["provider_unavailable", "authorized"],
    ["provider_rate_limited", "authorized"],
    ["credential_invalid", "awaiting_authorization"],
    ["authorization_revoked", "awaiting_authorization"],
    ["authorization_insufficient_scope", "awaiting_authorization"],
    ["authorization_zone_mismatch", "awaiting_authorization"],
    ["provider_snapshot_timeout", "authorized"],
    ["provider_snapshot_failed", "authorized"],
    ["provider_zone_locked", "authorized"]
  ] as const satisfies ReadonlyArray<readonly [ProviderFailureCode, string]>) {
    acmeTest(`does not open the zone with ${code} fails the connection, which goes on in ${resumeState}`, (acme) =>
      Effect.gen(function* () {
        const id = yield* createDiscovered()
        yield* acme.refuse(code)
        yield* commandsFor(id).letIn()
        expect(yield* readState(id)).toBe(`failed: ${code} → ${resumeState}`)
        const { credentials } = yield* Tables
        expect(credentials.size).toBe(resumeState === "authorized" ? 1 : 0)
        yield* acme.refuse()
        yield* resumeState === "authorized" ? commandsFor(id).retry : commandsFor(id).letIn()
        expect(yield* readState(id)).toBe("planned")
      })
    )
  }

  for (const [code, expected] of [
    ["apply_rejected", "failed: apply_rejected → nowhere"],
    ["provider_record_locked", "failed: provider_record_locked → nowhere"],
    ["provider_unavailable", "failed: provider_unavailable → applying"]
  ] as const) {
    acmeTest(`refuses the write with ${code} has nothing written, so that it can be canceled`, (acme) =>
      Effect.gen(function* () {
        const id = yield* createDiscovered()
        yield* commandsFor(id).letIn()
        yield* acme.play(rejectWith(code), rejectWith(code), rejectWith(code))
        yield* commandsFor(id).approve()
        expect([yield* readState(id), (yield* readConnectionRecord(id)).progress.wrote]).toEqual([expected, false])
        yield* commandsFor(id).cancel
        expect(yield* readState(id)).toBe(expected.replace("failed", "canceled"))
      })
    )
  }

  acmeTest("is away for a while is written to when it is back, as was approved", (acme) =>
    Effect.gen(function* () {
      const id = yield* createDiscovered()
      yield* commandsFor(id).letIn()
      const away = rejectWith("provider_unavailable")
      yield* acme.play(away, away, away)
      yield* commandsFor(id).approve()
      expect(yield* readState(id)).toBe("failed: provider_unavailable → applying")
      yield* commandsFor(id).retry
      expect([yield* readState(id), acme.made().length]).toEqual(["active", 1])
    })
  )

  for (const [how, turn] of [
    ["answer", dropResponse],
    ["call", dropRequest]
  ] as const) {
    acmeTest(`loses the ${how} is looked at again, and gets no change twice`, (acme) =>
      Effect.gen(function* () {
        const id = yield* createDiscovered()
        yield* commandsFor(id).letIn()
        yield* acme.play(turn)
        yield* commandsFor(id).approve()
        expect([yield* readState(id), acme.made().length]).toEqual(["active", 1])
      })
    )
  }

  acmeTest("never answers leaves a connection that may have written, and can only be disconnected", (acme) =>
    Effect.gen(function* () {
      const id = yield* createDiscovered()
      yield* commandsFor(id).letIn()
      yield* acme.play(dropRequest, dropRequest)
      yield* commandsFor(id).approve()
      expect([yield* readState(id), (yield* readConnectionRecord(id)).progress.wrote]).toEqual([
        "failed: apply_timeout → authorized",
        true
      ])
      expect(yield* Effect.flip(commandsFor(id).cancel)).toMatchObject({ code: "records_written" })
      yield* commandsFor(id).disconnect
      expect([yield* readState(id), hasSameRecords(acme.now(), zoneWith())]).toEqual(["disconnected", true])
    })
  )
})

acmeTest("a credential that is gone when the plan is to be written has to be given again", () =>
  Effect.gen(function* () {
    const id = yield* createDiscovered()
    yield* commandsFor(id).letIn()
    const { credentials } = yield* Tables
    credentials.clear()
    yield* commandsFor(id).approve()
    expect(yield* readState(id)).toBe("failed: authorization_expired → awaiting_authorization")
    yield* commandsFor(id).retry
    expect(yield* readState(id)).toBe("awaiting_authorization")
    yield* commandsFor(id).letIn()
    expect(yield* readState(id)).toBe("planned")
  })
)
