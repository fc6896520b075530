import { expect } from "bun:test"
import { Effect } from "effect"
import { approvedInAdvance, createTestConnection } from "../support/TestConnection.ts"
import { Lab } from "../support/lab/Lab.ts"
import { describeLab } from "../support/lab/describeLab.ts"
import { labPowerDns, labService } from "../support/labService.ts"
import { get, issueKey, jsonOf, post, tenancyOf } from "../support/testApi.ts"
import { eventually, startReceiver, verify } from "../webhooks/Receiver.ts"

const service = labService([labPowerDns], { environment: { OUTBOUND_ALLOW: "127.0.0.0/8", LOG_LEVEL: "none" } })

/** A tenant that requests an address for its shop in a domain, and the receiver of its events. */
const tenantOf = (domain: string, tenantId: string, address: string) =>
  tenantWith(domain, tenantId, [{ host: "shop", type: "A", value: address }])

/** A tenant that requests records in a domain, and the receiver of its events. */
const tenantWith = (
  domain: string,
  tenantId: string,
  records: ReadonlyArray<{ readonly host: string; readonly type: string; readonly value: string }>
) =>
  Effect.gen(function* () {
    const { key } = yield* issueKey(tenancyOf("shop-builder", tenantId))
    const receiver = yield* startReceiver()
    const endpoint = yield* post("/v1/webhook-endpoints", key, { url: receiver.url, tenantIds: [tenantId] })
    const { secret } = yield* jsonOf(endpoint)
    const connection = yield* createTestConnection(key, { domain, records })
    /** Waits for an event of this connection and returns its data. */
    const awaitEvent = (type: string) =>
      Effect.suspend(() =>
        Effect.fromNullable(
          receiver.received.find(({ body }) => body.type === type && body.data.connection.id === connection.id)
        )
      ).pipe(
        eventually,
        Effect.map((request) => {
          verify(secret, request)
          return request.body.data
        })
      )
    const readObservations = Effect.map(
      Effect.flatMap(get(`/v1/connections/${connection.id}/records`, key), jsonOf),
      (body) => ({
        checkedAt: body.records[0]?.checkedAt,
        statuses: body.records.map(({ expected, status }: any) => [expected.host, status])
      })
    )
    /** Checks the domain once more and returns the connection with the result. */
    const recheck = Effect.gen(function* () {
      const before = yield* readObservations
      yield* connection.command("recheck")
      yield* eventually(Effect.filterOrFail(readObservations, ({ checkedAt }) => checkedAt !== before.checkedAt))
      return yield* connection.read
    })
    return { ...connection, awaitEvent, readObservations, recheck }
  })

/** A zone at PowerDNS, in which a first tenant is active by the record that was entered by hand. */
const connectFirst = (domain: string) =>
  Effect.gen(function* () {
    const { delegate, pdns } = yield* Lab
    yield* pdns.createZone(domain, "@ NS ns1.pdnsprov.net.\n@ NS ns2.pdnsprov.net.\n@ A 192.0.2.20")
    yield* delegate(domain, ["ns1.pdnsprov.net", "ns2.pdnsprov.net"])
    const enter = (name: string, type: string, content: string) =>
      pdns.patch(domain, [{ name: `${name}.`, type, changetype: "REPLACE", ttl: 300, records: [{ content }] }])
    const first = yield* tenantOf(domain, "first", firstAddress)
    yield* first.command("authorization", { method: "manual" })
    yield* enter(`shop.${domain}`, "A", firstAddress)
    yield* first.command("recheck")
    expect((yield* first.waitForState("active")).control).toEqual({ status: "proven", by: "entered_records" })
    const authorization = { method: "direct_credential", credential: { apiToken: pdns.key } }
    return { authorization, dump: pdns.dump(domain), enter, first }
  })

const firstAddress = "192.0.2.31"

const lost = { state: "degraded", failure: { code: "control_lost" } }

describeLab("a domain with the records of a former customer", (live) => {
  live(
    "is not connected by hand before its owner shows the challenge, although its SPF policy permits the wanted senders",
    () =>
      Effect.gen(function* () {
        const domain = "former.com"
        const { delegate, pdns } = yield* Lab
        yield* pdns.createZone(
          domain,
          [
            "@ NS ns1.pdnsprov.net.\n@ NS ns2.pdnsprov.net.",
            `@ TXT "v=spf1 include:inner.${domain} ~all"`,
            'inner TXT "v=spf1 ip4:203.0.113.0/24 ~all"',
            "left CNAME shops.example.net."
          ].join("\n")
        )
        yield* delegate(domain, ["ns1.pdnsprov.net", "ns2.pdnsprov.net"])
        const zone = yield* pdns.dump(domain)
        const stranger = yield* tenantWith(domain, "stranger", [
          { host: "left", type: "CNAME", value: "shops.example.net" },
          { host: "@", type: "TXT", value: "v=spf1 ip4:203.0.113.0/24 ~all" }
        ])
        yield* stranger.command("authorization", { method: "manual" })
        expect(yield* stranger.recheck).toMatchObject({ state: "verifying", control: { status: "unproven" } })
        expect((yield* stranger.readObservations).statuses).toEqual([
          ["left", "present"],
          ["@", "present"],
          ["_domain-connection", "missing"]
        ])
        expect(yield* pdns.dump(domain)).toEqual(zone)
        const { challenge } = (yield* stranger.read).control
        const records = [{ content: `"${challenge.value}"` }]
        yield* pdns.patch(domain, [
          { name: `${challenge.name}.`, type: "TXT", changetype: "REPLACE", ttl: 300, records }
        ])
        yield* stranger.command("recheck")
        expect((yield* stranger.waitForState("active")).control).toEqual({ status: "proven", by: "challenge" })
      }).pipe(Effect.provide(service))
  )

  live("is connected by a credential, which writes the challenge along", () =>
    Effect.gen(function* () {
      const domain = "returned.com"
      const { delegate, pdns } = yield* Lab
      yield* pdns.createZone(domain, `@ NS ns1.pdnsprov.net.\n@ NS ns2.pdnsprov.net.\nshop A ${firstAddress}`)
      yield* delegate(domain, ["ns1.pdnsprov.net", "ns2.pdnsprov.net"])
      const owner = yield* tenantOf(domain, "owner", firstAddress)
      expect([owner.created.state, owner.created.allowedActions]).toEqual([
        "verifying",
        expect.arrayContaining(["authorization"])
      ])
      yield* owner.command("authorization", {
        method: "direct_credential",
        credential: { apiToken: pdns.key },
        ...approvedInAdvance(owner.created.plan)
      })
      expect((yield* owner.waitForState("active")).control).toEqual({ status: "proven", by: "credential" })
      expect((yield* pdns.dump(domain)).join()).toContain(owner.created.control.challenge.value)
    }).pipe(Effect.provide(service))
  )
})

describeLab("a domain that a second tenant requests", (live) => {
  live(
    "is taken over by a challenge at its name servers, and does not return with the records of the first tenant",
    () =>
      Effect.gen(function* () {
        const domain = "challenged.com"
        const { dump, enter, first } = yield* connectFirst(domain)
        const second = yield* tenantOf(domain, "second", firstAddress)
        const { challenge } = second.created.control
        expect([second.created.state, challenge.name]).toEqual(["verifying", `_domain-connection.${domain}`])
        expect((yield* first.awaitEvent("connection.contested")).connection.state).toBe("active")
        expect(yield* second.recheck).toMatchObject({ state: "verifying", control: { status: "unproven", challenge } })
        expect((yield* second.readObservations).statuses).toEqual([
          ["shop", "present"],
          ["_domain-connection", "missing"]
        ])
        expect(yield* first.recheck).toMatchObject({ state: "active" })

        yield* enter(challenge.name, "TXT", `"${challenge.value}"`)
        yield* second.command("recheck")
        expect((yield* second.waitForState("active")).control).toEqual({ status: "proven", by: "challenge" })
        expect(yield* first.read).toMatchObject(lost)
        const loss = yield* first.awaitEvent("connection.degraded")
        expect(loss).toMatchObject({ formerState: "active", connection: lost })

        const zone = yield* dump
        expect(yield* first.recheck).toMatchObject(lost)
        yield* first.command("retry")
        const { plan } = yield* first.waitForState("awaiting_authorization")
        const changes = plan.changes.map(({ action, after }: any) => [action, after.name])
        expect(changes).toEqual([["create", challenge.name]])
        yield* first.command("authorization", { method: "manual" })
        expect(yield* first.recheck).toMatchObject({ control: { status: "unproven" } })
        expect(yield* second.recheck).toMatchObject({ state: "active" })
        expect(yield* dump).toEqual(zone)
      }).pipe(Effect.provide(service))
  )

  live(
    "is taken over by a credential for its zone, and a repair of the first tenant is not written without approval",
    () =>
      Effect.gen(function* () {
        const domain = "moved.com"
        const { authorization, dump, first } = yield* connectFirst(domain)
        const second = yield* tenantOf(domain, "second", "192.0.2.32")
        expect(second.created.state).toBe("awaiting_authorization")
        yield* first.awaitEvent("connection.contested")
        yield* second.command("authorization", { ...authorization, ...approvedInAdvance(second.created.plan) })
        expect((yield* second.waitForState("active")).control).toEqual({ status: "proven", by: "credential" })
        expect(yield* first.read).toMatchObject(lost)
        const loss = yield* first.awaitEvent("connection.degraded")
        expect(loss).toMatchObject({ formerState: "active", connection: lost })

        const zone = yield* dump
        expect(zone).toContain(`shop.${domain}. + 3600 A 192.0.2.32`)
        yield* first.command("retry")
        yield* first.waitForState("awaiting_authorization")
        yield* first.command("authorization", authorization)
        const { plan } = yield* first.waitForState("planned")
        expect(plan.warnings).toContain("other_connection_affected")
        expect(yield* dump).toEqual(zone)
        expect(yield* second.recheck).toMatchObject({ state: "active" })
      }).pipe(Effect.provide(service))
  )
})
