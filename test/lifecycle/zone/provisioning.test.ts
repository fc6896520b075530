import { describe, expect } from "bun:test"
import { Duration, Effect } from "effect"
import type { ProviderFailureCode } from "../../../src/providers/ProviderFailure.ts"
import { Tables } from "../../support/memory/Tables.ts"
import { losingTheAnswer, losingTheCall, refusing, servesTheSame } from "../../support/scriptedZone.ts"
import { zoneOf } from "../../support/zones.ts"
import { commands, created, elapse, inAcme, planIn, shown, standing, state, zoneWith } from "./acme.ts"

const mail = { host: "@", type: "MX", value: "mx.example.net" } as const

describe("from the authorization on", () => {
  inAcme("a connection is planned from the provider's zone, approved, written, verified and active", (acme) =>
    Effect.gen(function* () {
      const id = yield* created()
      yield* commands(id).letIn()
      expect([yield* state(id), (yield* shown(id)).plan?.basis, yield* planIn(id)]).toEqual([
        "planned",
        "provider",
        ["create | shop 3600 CNAME shops.example.net"]
      ])
      expect(acme.made()).toEqual([])
      yield* commands(id).approve()
      expect([yield* state(id), (yield* shown(id)).plan?.warnings]).toEqual(["active", []])
      expect(servesTheSame(acme.now(), zoneWith("shop 3600 CNAME shops.example.net"))).toBe(true)
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

  inAcme("a consent that came along is one click", () =>
    Effect.gen(function* () {
      const id = yield* created()
      const { plan } = yield* shown(id)
      yield* commands(id).letIn(plan && { digest: plan.digest, acknowledged: [] })
      expect(yield* state(id)).toBe("active")
    })
  )

  inAcme("a consent that came along to other changes than the provider's zone asks for waits", (acme) =>
    Effect.gen(function* () {
      yield* acme.serve("@ 300 A 192.0.2.1", "shop 300 A 192.0.2.9")
      const id = yield* created()
      const { plan } = yield* shown(id)
      yield* commands(id).letIn(plan && { digest: plan.digest, acknowledged: [] })
      expect([yield* state(id), (yield* shown(id)).plan?.warnings]).toEqual([
        "planned",
        ["provider_zone_differs_from_public_dns"]
      ])
    })
  )

  inAcme("what costs mail waits until that is acknowledged by name", () =>
    Effect.gen(function* () {
      const id = yield* created([mail])
      yield* commands(id).letIn()
      const { plan } = yield* shown(id)
      expect(yield* Effect.flip(commands(id).approve())).toMatchObject({ code: "acknowledgement_required" })
      expect(yield* state(id)).toBe("planned")
      yield* commands(id).approve(...(plan?.warnings ?? []))
      expect(yield* state(id)).toBe("active")
    })
  )

  inAcme("a zone that holds everything already is only verified, and that somebody may change it is proven", (acme) =>
    Effect.gen(function* () {
      yield* acme.serve("@ 300 A 192.0.2.1")
      const id = yield* created([{ host: "mail", type: "A", value: "192.0.2.2" }])
      expect(yield* state(id)).toBe("awaiting_authorization")
      yield* acme.serveZone
      yield* commands(id).letIn()
      expect([yield* state(id), (yield* shown(id)).plan?.warnings]).toEqual([
        "active",
        ["provider_zone_differs_from_public_dns"]
      ])
      expect(acme.made()).toEqual([])
    })
  )

  inAcme("a plan that nobody approves is made anew while the credential lives, and expires then", () =>
    Effect.gen(function* () {
      const id = yield* created()
      yield* commands(id).letIn()
      const first = (yield* shown(id)).plan
      yield* elapse("15 minutes")
      const second = (yield* shown(id)).plan
      expect([yield* state(id), second?.digest]).toEqual(["planned", first?.digest])
      expect(second?.expiresAt).not.toEqual(first?.expiresAt)
      yield* Effect.forEach([1, 2, 3], () => elapse("15 minutes"))
      expect(yield* state(id)).toBe("expired")
    })
  )

  inAcme("nobody lets the service in for seven days", () =>
    Effect.gen(function* () {
      const id = yield* created()
      yield* elapse(Duration.subtract("7 days", "1 second"))
      expect(yield* state(id)).toBe("awaiting_authorization")
      yield* elapse("1 second")
      expect(yield* state(id)).toBe("expired")
    })
  )
})

describe("a zone that changes", () => {
  const approved = Effect.gen(function* () {
    const id = yield* created()
    yield* commands(id).letIn()
    return id
  })
  const taken = zoneOf("@ 300 A 192.0.2.1", "shop 300 A 192.0.2.9")

  inAcme("between the plan and the writing is not written, and its new plan waits", (acme) =>
    Effect.gen(function* () {
      const id = yield* approved
      yield* acme.become(taken)
      yield* commands(id).approve()
      expect([yield* state(id), acme.made()]).toEqual(["planned", []])
      expect(yield* planIn(id)).toEqual([
        "delete! | shop 300 A 192.0.2.9",
        "create | shop 3600 CNAME shops.example.net"
      ])
    })
  )

  inAcme("under the very write is not written, and its new plan waits", (acme) =>
    Effect.gen(function* () {
      const id = yield* approved
      yield* acme.play((honest) => Effect.zipRight(acme.become(taken), honest))
      yield* commands(id).approve()
      expect([yield* state(id), acme.made(), (yield* planIn(id))?.length]).toEqual(["planned", [], 2])
      expect((yield* standing(id)).progress.wrote).toBe(false)
    })
  )

  inAcme("elsewhere is written as it was approved", (acme) =>
    Effect.gen(function* () {
      const id = yield* approved
      yield* acme.become(zoneOf("@ 300 A 192.0.2.7"))
      yield* commands(id).approve()
      expect([yield* state(id), acme.made().length]).toEqual(["active", 1])
    })
  )

  const alone = ["ns1.acme-dns.net"]
  const both = [...alone, "ada.ns.cloudflare.com"]
  for (const [saidBy, parent, zone] of [
    ["parent and zone say", both, both],
    ["the parent says", both, alone],
    ["the zone says", alone, both]
  ] as const) {
    inAcme(`to be another provider's too, as ${saidBy}, is not written any more`, (acme) =>
      Effect.gen(function* () {
        const id = yield* approved
        yield* acme.moveTo(...parent)
        yield* acme.list(...zone)
        yield* commands(id).approve()
        expect([yield* state(id), acme.made()]).toEqual([
          "failed: authorization_zone_mismatch → awaiting_authorization",
          []
        ])
        yield* commands(id).retry
        expect((yield* shown(id)).provider).toMatchObject({ id: "acme-dns", implementation: "manual" })
      })
    )
  }

  inAcme("its provider is not written any more", (acme) =>
    Effect.gen(function* () {
      const id = yield* approved
      yield* acme.moveTo("ada.ns.cloudflare.com")
      yield* commands(id).approve()
      expect([yield* state(id), acme.made()]).toEqual([
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
    inAcme(`does not open the zone with ${code} fails the connection, which goes on in ${resumeState}`, (acme) =>
      Effect.gen(function* () {
        const id = yield* created()
        yield* acme.refuse(code)
        yield* commands(id).letIn()
        expect(yield* state(id)).toBe(`failed: ${code} → ${resumeState}`)
        const { credentials } = yield* Tables
        expect(credentials.size).toBe(resumeState === "authorized" ? 1 : 0)
        yield* acme.refuse()
        yield* resumeState === "authorized" ? commands(id).retry : commands(id).letIn()
        expect(yield* state(id)).toBe("planned")
      })
    )
  }

  for (const [code, expected] of [
    ["apply_rejected", "failed: apply_rejected → nowhere"],
    ["provider_record_locked", "failed: provider_record_locked → nowhere"],
    ["provider_unavailable", "failed: provider_unavailable → applying"]
  ] as const) {
    inAcme(`refuses the write with ${code} has nothing written, so that it can be canceled`, (acme) =>
      Effect.gen(function* () {
        const id = yield* created()
        yield* commands(id).letIn()
        yield* acme.play(refusing(code), refusing(code), refusing(code))
        yield* commands(id).approve()
        expect([yield* state(id), (yield* standing(id)).progress.wrote]).toEqual([expected, false])
        yield* commands(id).cancel
        expect(yield* state(id)).toBe(expected.replace("failed", "canceled"))
      })
    )
  }

  inAcme("is away for a while is written to when it is back, as was approved", (acme) =>
    Effect.gen(function* () {
      const id = yield* created()
      yield* commands(id).letIn()
      const away = refusing("provider_unavailable")
      yield* acme.play(away, away, away)
      yield* commands(id).approve()
      expect(yield* state(id)).toBe("failed: provider_unavailable → applying")
      yield* commands(id).retry
      expect([yield* state(id), acme.made().length]).toEqual(["active", 1])
    })
  )

  for (const [how, turn] of [
    ["answer", losingTheAnswer],
    ["call", losingTheCall]
  ] as const) {
    inAcme(`loses the ${how} is looked at again, and gets no change twice`, (acme) =>
      Effect.gen(function* () {
        const id = yield* created()
        yield* commands(id).letIn()
        yield* acme.play(turn)
        yield* commands(id).approve()
        expect([yield* state(id), acme.made().length]).toEqual(["active", 1])
      })
    )
  }

  inAcme("never answers leaves a connection that may have written, and can only be disconnected", (acme) =>
    Effect.gen(function* () {
      const id = yield* created()
      yield* commands(id).letIn()
      yield* acme.play(losingTheCall, losingTheCall)
      yield* commands(id).approve()
      expect([yield* state(id), (yield* standing(id)).progress.wrote]).toEqual([
        "failed: apply_timeout → authorized",
        true
      ])
      expect(yield* Effect.flip(commands(id).cancel)).toMatchObject({ code: "records_written" })
      yield* commands(id).disconnect
      expect([yield* state(id), servesTheSame(acme.now(), zoneWith())]).toEqual(["disconnected", true])
    })
  )
})

inAcme("a credential that is gone when the plan is to be written has to be given again", () =>
  Effect.gen(function* () {
    const id = yield* created()
    yield* commands(id).letIn()
    const { credentials } = yield* Tables
    credentials.clear()
    yield* commands(id).approve()
    expect(yield* state(id)).toBe("failed: authorization_expired → awaiting_authorization")
    yield* commands(id).retry
    expect(yield* state(id)).toBe("awaiting_authorization")
    yield* commands(id).letIn()
    expect(yield* state(id)).toBe("planned")
  })
)
