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
} from "./scriptedProvider.ts"

const mail = { host: "@", type: "MX", value: "mx.example.net" } as const

describe("a new connection", () => {
  acmeTest("is planned from the provider's zone, approved, written, verified and active", (acme) =>
    Effect.gen(function* () {
      const id = yield* createDiscovered()
      yield* commandsFor(id).authorize()
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

  acmeTest("gets the TTLs that its own zone stores, as the provider says once the zone is open", (acme) =>
    Effect.gen(function* () {
      yield* acme.storeTtls({ minimum: 7200, maximum: 86_400 })
      const id = yield* createDiscovered()
      expect(yield* readPlannedChanges(id)).toEqual(["create | shop 3600 CNAME shops.example.net"])
      yield* commandsFor(id).authorize()
      expect([yield* readPlannedChanges(id), (yield* readConnection(id)).plan?.warnings]).toEqual([
        ["create | shop 7200 CNAME shops.example.net"],
        expect.arrayContaining(["ttl_adjusted"])
      ])
    })
  )

  acmeTest("fails before an approval if its plan removes a record that the provider keeps", (acme) =>
    Effect.gen(function* () {
      yield* acme.become({
        ...acme.now(),
        records: acme.now().records.map((record) => ({ ...record, locked: "fixed" }))
      })
      const id = yield* createDiscovered([mail])
      yield* commandsFor(id).authorize()
      expect([yield* readState(id), (yield* readConnection(id)).failure?.details]).toEqual([
        "failed: provider_record_locked → authorized",
        [{ message: "MX at @: the provider keeps this record as it is", host: "@", type: "MX" }]
      ])
      expect(acme.made()).toEqual([])
    })
  )

  acmeTest("is written without a second approval if the authorization came with a consent to the same changes", () =>
    Effect.gen(function* () {
      const id = yield* createDiscovered()
      const { plan } = yield* readConnection(id)
      yield* commandsFor(id).authorize(plan && { digest: plan.digest, acknowledged: [] })
      expect(yield* readState(id)).toBe("active")
    })
  )

  acmeTest("waits for approval if the consent was to other changes than the provider's zone requires", (acme) =>
    Effect.gen(function* () {
      yield* acme.serve("@ 300 A 192.0.2.1", "shop 300 A 192.0.2.9")
      const id = yield* createDiscovered()
      const { plan } = yield* readConnection(id)
      yield* commandsFor(id).authorize(plan && { digest: plan.digest, acknowledged: [] })
      expect([yield* readState(id), (yield* readConnection(id)).plan?.warnings]).toEqual([
        "planned",
        ["provider_zone_differs_from_public_dns"]
      ])
    })
  )

  acmeTest("waits for an acknowledgement of changes that stop mail", () =>
    Effect.gen(function* () {
      const id = yield* createDiscovered([mail])
      yield* commandsFor(id).authorize()
      const { plan } = yield* readConnection(id)
      expect(yield* Effect.flip(commandsFor(id).approve())).toMatchObject({ code: "acknowledgement_required" })
      expect(yield* readState(id)).toBe("planned")
      yield* commandsFor(id).approve(...(plan?.warnings ?? []))
      expect(yield* readState(id)).toBe("active")
    })
  )

  acmeTest("is only verified if the zone already has all records, which proves nothing", (acme) =>
    Effect.gen(function* () {
      yield* acme.serve("@ 300 A 192.0.2.1")
      const id = yield* createDiscovered([{ host: "mail", type: "A", value: "192.0.2.2" }])
      expect(yield* readState(id)).toBe("awaiting_authorization")
      yield* acme.serveZone
      yield* commandsFor(id).authorize()
      expect([yield* readState(id), (yield* readConnection(id)).plan?.warnings]).toEqual([
        "active",
        ["provider_zone_differs_from_public_dns", "control_not_proven"]
      ])
      expect(acme.made()).toEqual([])
    })
  )

  acmeTest("is planned again while it waits for approval, and expires with its credential", () =>
    Effect.gen(function* () {
      const id = yield* createDiscovered()
      yield* commandsFor(id).authorize()
      const first = (yield* readConnection(id)).plan
      yield* advanceTime("15 minutes")
      const second = (yield* readConnection(id)).plan
      expect([yield* readState(id), second?.digest]).toEqual(["planned", first?.digest])
      expect(second?.expiresAt).not.toEqual(first?.expiresAt)
      yield* Effect.forEach([1, 2, 3], () => advanceTime("15 minutes"))
      expect(yield* readState(id)).toBe("expired")
    })
  )

  acmeTest("expires after seven days without an authorization", () =>
    Effect.gen(function* () {
      const id = yield* createDiscovered()
      yield* advanceTime(Duration.subtract("7 days", "1 second"))
      expect(yield* readState(id)).toBe("awaiting_authorization")
      yield* advanceTime("1 second")
      expect(yield* readState(id)).toBe("expired")
    })
  )
})

describe("an approved plan", () => {
  const plannedConnection = Effect.gen(function* () {
    const id = yield* createDiscovered()
    yield* commandsFor(id).authorize()
    return id
  })
  const zoneWithConflict = zoneOf("@ 300 A 192.0.2.1", "shop 300 A 192.0.2.9")

  acmeTest("is not written to a zone that changed after planning, and the new plan waits", (acme) =>
    Effect.gen(function* () {
      const id = yield* plannedConnection
      yield* acme.become(zoneWithConflict)
      yield* commandsFor(id).approve()
      expect([yield* readState(id), acme.made()]).toEqual(["planned", []])
      expect(yield* readPlannedChanges(id)).toEqual([
        "delete! | shop 300 A 192.0.2.9",
        "create | shop 3600 CNAME shops.example.net"
      ])
    })
  )

  acmeTest("is not written to a zone that changes during the write, and the new plan waits", (acme) =>
    Effect.gen(function* () {
      const id = yield* plannedConnection
      yield* acme.play((send) => Effect.zipRight(acme.become(zoneWithConflict), send))
      yield* commandsFor(id).approve()
      expect([yield* readState(id), acme.made(), (yield* readPlannedChanges(id))?.length]).toEqual(["planned", [], 2])
      expect((yield* readConnectionRecord(id)).progress.hasWritten).toBe(false)
    })
  )

  acmeTest("is written to a zone that changed at other names", (acme) =>
    Effect.gen(function* () {
      const id = yield* plannedConnection
      yield* acme.become(zoneOf("@ 300 A 192.0.2.7"))
      yield* commandsFor(id).approve()
      expect([yield* readState(id), acme.made().length]).toEqual(["active", 1])
    })
  )

  const oneProvider = ["ns1.acme-dns.net"]
  const twoProviders = [...oneProvider, "ada.ns.cloudflare.com"]
  for (const [source, parent, zone] of [
    ["parent and zone", twoProviders, twoProviders],
    ["the parent", twoProviders, oneProvider],
    ["the zone", oneProvider, twoProviders]
  ] as const) {
    acmeTest(`is not written once a second provider serves the zone according to ${source}`, (acme) =>
      Effect.gen(function* () {
        const id = yield* plannedConnection
        yield* acme.moveTo(...parent)
        yield* acme.list(...zone)
        yield* commandsFor(id).approve()
        expect([yield* readState(id), acme.made()]).toEqual([
          "failed: authorization_zone_mismatch → awaiting_authorization",
          []
        ])
        expect((yield* readConnection(id)).failure?.details?.map(({ message }) => message)).toEqual([
          expect.stringMatching(
            /^example\.com is delegated to .*ns\.cloudflare\.com: these are not, or not only, the name servers of Acme DNS$/
          )
        ])
        yield* commandsFor(id).retry
        expect((yield* readConnection(id)).provider).toMatchObject({ id: "acme-dns", implementation: "manual" })
      })
    )
  }

  acmeTest("is not written once the zone has moved to another provider", (acme) =>
    Effect.gen(function* () {
      const id = yield* plannedConnection
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
    ["account_not_entitled", "awaiting_authorization"],
    ["provider_snapshot_timeout", "authorized"],
    ["provider_snapshot_failed", "authorized"],
    ["provider_zone_locked", "authorized"]
  ] as const satisfies ReadonlyArray<readonly [ProviderFailureCode, string]>) {
    acmeTest(`refuses to open the zone with ${code} fails the connection, which resumes in ${resumeState}`, (acme) =>
      Effect.gen(function* () {
        const id = yield* createDiscovered()
        yield* acme.refuse(code)
        yield* commandsFor(id).authorize()
        expect(yield* readState(id)).toBe(`failed: ${code} → ${resumeState}`)
        const { credentials } = yield* Tables
        expect(credentials.size).toBe(resumeState === "authorized" ? 1 : 0)
        yield* acme.refuse()
        yield* resumeState === "authorized" ? commandsFor(id).retry : commandsFor(id).authorize()
        expect(yield* readState(id)).toBe("planned")
      })
    )
  }

  for (const [code, expected] of [
    ["apply_rejected", "failed: apply_rejected → authorized"],
    ["provider_record_locked", "failed: provider_record_locked → authorized"],
    ["provider_unavailable", "failed: provider_unavailable → applying"]
  ] as const) {
    acmeTest(`rejects the write with ${code} leaves nothing written, so that the connection can be canceled`, (acme) =>
      Effect.gen(function* () {
        const id = yield* createDiscovered()
        yield* commandsFor(id).authorize()
        yield* acme.play(rejectWith(code), rejectWith(code), rejectWith(code))
        yield* commandsFor(id).approve()
        expect([yield* readState(id), (yield* readConnectionRecord(id)).progress.hasWritten]).toEqual([expected, false])
        yield* commandsFor(id).cancel
        expect(yield* readState(id)).toBe(expected.replace("failed", "canceled"))
      })
    )
  }

  acmeTest("is unavailable for a while receives the approved changes on retry", (acme) =>
    Effect.gen(function* () {
      const id = yield* createDiscovered()
      yield* commandsFor(id).authorize()
      const unavailable = rejectWith("provider_unavailable")
      yield* acme.play(unavailable, unavailable, unavailable)
      yield* commandsFor(id).approve()
      expect(yield* readState(id)).toBe("failed: provider_unavailable → applying")
      yield* commandsFor(id).retry
      expect([yield* readState(id), acme.made().length]).toEqual(["active", 1])
    })
  )

  acmeTest("shows writes late, and goes down after one, gets no change twice on retry", (acme) =>
    Effect.gen(function* () {
      yield* acme.lagBy("1 minute")
      const id = yield* createDiscovered()
      yield* commandsFor(id).authorize()
      yield* acme.play((send) => Effect.zipRight(send, acme.setDown(true)))
      yield* commandsFor(id).approve()
      expect([yield* readState(id), acme.made().length]).toEqual(["failed: provider_unavailable → applying", 1])
      yield* acme.setDown(false)
      yield* commandsFor(id).retry
      expect([yield* readState(id), acme.made().length]).toEqual(["active", 1])
    })
  )

  for (const [message, behavior] of [
    ["response", dropResponse],
    ["request", dropRequest]
  ] as const) {
    acmeTest(`loses the ${message} is read again, and gets no change twice`, (acme) =>
      Effect.gen(function* () {
        const id = yield* createDiscovered()
        yield* commandsFor(id).authorize()
        yield* acme.play(behavior)
        yield* commandsFor(id).approve()
        expect([yield* readState(id), acme.made().length]).toEqual(["active", 1])
      })
    )
  }

  acmeTest("never answers leaves a connection that may have written and can only be disconnected", (acme) =>
    Effect.gen(function* () {
      const id = yield* createDiscovered()
      yield* commandsFor(id).authorize()
      yield* acme.play(dropRequest, dropRequest)
      yield* commandsFor(id).approve()
      expect([yield* readState(id), (yield* readConnectionRecord(id)).progress.hasWritten]).toEqual([
        "failed: apply_timeout → authorized",
        true
      ])
      expect(yield* Effect.flip(commandsFor(id).cancel)).toMatchObject({ code: "records_written" })
      yield* commandsFor(id).disconnect
      expect([yield* readState(id), hasSameRecords(acme.now(), zoneWith())]).toEqual(["disconnected", true])
    })
  )
})

acmeTest("a credential that is missing when the plan is written must be provided again", () =>
  Effect.gen(function* () {
    const id = yield* createDiscovered()
    yield* commandsFor(id).authorize()
    const { credentials } = yield* Tables
    credentials.clear()
    yield* commandsFor(id).approve()
    expect(yield* readState(id)).toBe("failed: authorization_expired → awaiting_authorization")
    yield* commandsFor(id).retry
    expect(yield* readState(id)).toBe("awaiting_authorization")
    yield* commandsFor(id).authorize()
    expect(yield* readState(id)).toBe("planned")
  })
)
