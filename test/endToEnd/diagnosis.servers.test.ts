import { expect } from "bun:test"
import { Effect } from "effect"
import { createTestConnection } from "../support/TestConnection.ts"
import { Lab } from "../support/lab/Lab.ts"
import { describeLab } from "../support/lab/describeLab.ts"
import { labService } from "../support/labService.ts"
import { get, issueKey, jsonOf, post, tenancyOf } from "../support/testApi.ts"
import { eventually, startReceiver } from "../webhooks/Receiver.ts"

/** The lab's PowerDNS is nobody's provider here: customers enter all records by hand. */
const service = labService([], { environment: { OUTBOUND_ALLOW: "127.0.0.0/8", LOG_LEVEL: "none" } })

interface WantedRecord {
  readonly host: string
  readonly type: string
  readonly value: string
}

/** Connects a domain by hand; `enter` stores records at PowerDNS, `check` returns what is said of the first one. */
const connectByHand = (
  domain: string,
  records: ReadonlyArray<WantedRecord>,
  { before = "@ A 192.0.2.20", zone = domain } = {}
) =>
  Effect.gen(function* () {
    const { delegate, pdns } = yield* Lab
    yield* pdns.createZone(zone, `@ NS ns1.pdnsprov.net.\n@ NS ns2.pdnsprov.net.\n${before}`)
    yield* delegate(zone, ["ns1.pdnsprov.net", "ns2.pdnsprov.net"])
    const { key } = yield* issueKey(tenancyOf("shop-builder", domain))
    const receiver = yield* startReceiver()
    yield* post("/v1/webhook-endpoints", key, { url: receiver.url, tenantIds: [domain] })
    const connection = yield* createTestConnection(key, { domain, records })
    yield* connection.command("authorization", { method: "manual" })
    const readRecords = Effect.flatMap(get(`/v1/connections/${connection.id}/records`, key), jsonOf)
    /** The diagnosis of the first record by a check that begins now. */
    const check = Effect.gen(function* () {
      const now = Date.now()
      yield* connection.command("recheck")
      const { records: checked } = yield* eventually(
        Effect.filterOrFail(readRecords, ({ records: [first] }) => Date.parse(first.checkedAt) >= now)
      )
      return checked[0].diagnosis
    })
    const enter = (name: string, type: string, ...contents: ReadonlyArray<string>) =>
      pdns.patch(zone, [
        {
          name: `${name}.`,
          type,
          changetype: "REPLACE",
          ttl: 300,
          records: contents.map((content) => ({ content }))
        }
      ])
    return { ...connection, check, enter, readRecords, receiver }
  })

const servers = (showing: number) => ({ showing, asked: 2 })

describeLab("what a customer enters by hand", (live) => {
  live("is said to have the domain twice in its name", () =>
    Effect.gen(function* () {
      const wanted = { host: "www", type: "CNAME", value: "web.hostprov.net" }
      const { check, enter } = yield* connectByHand("doubled.com", [wanted])
      yield* enter("www.doubled.com.doubled.com", "CNAME", "web.hostprov.net.")
      expect(yield* check).toEqual({
        code: "doubled_zone",
        seen: [{ name: "www.doubled.com.doubled.com", type: "CNAME", value: "web.hostprov.net" }],
        copy: "www",
        field: "host",
        servers: servers(0),
        fix: "CNAME www.doubled.com: We found www.doubled.com.doubled.com. Your provider adds “doubled.com” itself: put only “www” in “Host”."
      })
    }).pipe(Effect.provide(service))
  )

  live("is said to have the domain appended to its target", () =>
    Effect.gen(function* () {
      const wanted = { host: "www", type: "CNAME", value: "web.hostprov.net" }
      const { check, enter } = yield* connectByHand("target.com", [wanted])
      yield* enter("www.target.com", "CNAME", "web.hostprov.net.target.com.")
      expect(yield* check).toEqual({
        code: "target_doubled",
        seen: [{ name: "www.target.com", type: "CNAME", value: "web.hostprov.net.target.com" }],
        copy: "web.hostprov.net.",
        field: "value",
        servers: servers(0),
        fix: "CNAME www.target.com: We found web.hostprov.net.target.com. Your provider adds “target.com” to it: put “web.hostprov.net.” in “Value”, with the dot."
      })
    }).pipe(Effect.provide(service))
  )

  live("is said to be a DMARC policy at the domain itself, at _dmarc.www, or at the doubled name", () =>
    Effect.gen(function* () {
      const wanted = { host: "_dmarc", type: "TXT", value: "v=DMARC1; p=none" }
      const { check, enter } = yield* connectByHand("policy.com", [wanted])
      const places: Array<string> = []
      for (const name of ["policy.com", "_dmarc.www.policy.com", "_dmarc.policy.com.policy.com"]) {
        yield* enter(name, "TXT", '"v=DMARC1; p=none"')
        const { code, copy, field, seen } = yield* check
        expect({ copy, field }).toEqual({ copy: "_dmarc", field: "host" })
        places.push(`${code} ${seen[0].name}`)
        yield* enter(name, "TXT")
      }
      expect(places).toEqual([
        "wrong_host policy.com",
        "wrong_host _dmarc.www.policy.com",
        "doubled_zone _dmarc.policy.com.policy.com"
      ])
    }).pipe(Effect.provide(service))
  )

  live("is found beside the subdomain, unless it was there before", () =>
    Effect.gen(function* () {
      const www = { host: "www", type: "CNAME", value: "web.hostprov.net" }
      const policy = { host: "_dmarc", type: "TXT", value: "v=DMARC1; p=none" }
      const { check, enter } = yield* connectByHand("shop.side.com", [www], { zone: "side.com" })
      expect((yield* check).code).toBe("not_yet")
      yield* enter("www.side.com", "CNAME", "web.hostprov.net.")
      const { code, copy, field, seen } = yield* check
      expect({ code, copy, field, name: seen[0].name }).toEqual({
        code: "wrong_host",
        copy: "www.shop",
        field: "host",
        name: "www.side.com"
      })
      const older = yield* connectByHand("shop.older.com", [www], {
        before: "www CNAME web.hostprov.net.",
        zone: "older.com"
      })
      expect([(yield* older.check).code, (yield* older.check).code]).toEqual(["not_yet", "not_yet"])
      const below = yield* connectByHand("blog.rules.com", [policy], {
        before: '_dmarc TXT "v=DMARC1; p=reject"',
        zone: "rules.com"
      })
      expect([(yield* below.check).code, (yield* below.check).code]).toEqual(["not_yet", "not_yet"])
    }).pipe(Effect.provide(service))
  )

  live("is said to be an SPF record in quotes", () =>
    Effect.gen(function* () {
      const value = "v=spf1 ip4:192.0.2.0/24 ~all"
      const { check, enter } = yield* connectByHand("quotes.com", [{ host: "@", type: "TXT", value }])
      yield* enter("quotes.com", "TXT", String.raw`"\"v=spf1 ip4:192.0.2.0/24 ~all\""`)
      expect(yield* check).toEqual({
        code: "quoted",
        seen: [{ name: "quotes.com", type: "TXT", value: `"${value}"` }],
        copy: value,
        field: "value",
        servers: servers(0),
        fix: `TXT quotes.com: We found quotation marks in the value. Enter it without them. Value: ${value}`
      })
    }).pipe(Effect.provide(service))
  )

  live("is ticked off where it proves the domain, before anything else is entered", () =>
    Effect.gen(function* () {
      const wanted = { host: "@", type: "A", value: "192.0.2.31" }
      const { check, enter, read, readRecords } = yield* connectByHand("proof.com", [wanted])
      const { control } = yield* read
      const ticks = Effect.map(readRecords, ({ guides: [guide] }) =>
        guide.tasks.map(({ isDone, record }: any) => [record.host, isDone])
      )
      expect(yield* ticks).toEqual([
        ["@", false],
        ["_domain-connection", false]
      ])
      yield* enter("_domain-connection.proof.com", "TXT", `"${control.challenge.value}"`)
      yield* check
      expect(yield* ticks).toEqual([
        ["@", false],
        ["_domain-connection", true]
      ])
      yield* check
      expect(yield* ticks).toEqual([
        ["@", false],
        ["_domain-connection", true]
      ])
    }).pipe(Effect.provide(service))
  )

  live("is said to be beside the old address, and after that to be replaced, also by webhook", () =>
    Effect.gen(function* () {
      const wanted = { host: "@", type: "A", value: "192.0.2.31" }
      const { check, enter, id, read, receiver, waitForState } = yield* connectByHand("beside.com", [wanted])
      yield* enter("beside.com", "A", "192.0.2.20", "192.0.2.31")
      const fix = "A beside.com: The entry is right, but beside it we found A 192.0.2.20. Delete A 192.0.2.20."
      expect(yield* check).toEqual({
        code: "also_there",
        seen: [{ name: "beside.com", type: "A", value: "192.0.2.20" }],
        servers: servers(0),
        fix
      })
      yield* enter("beside.com", "A", "192.0.2.31")
      expect(yield* check).toBeUndefined()
      const { control } = yield* read
      yield* enter("_domain-connection.beside.com", "TXT", `"${control.challenge.value}"`)
      yield* check
      yield* waitForState("active")
      yield* enter("beside.com", "A", "192.0.2.99")
      yield* check
      yield* waitForState("degraded")
      const { body } = yield* eventually(
        Effect.suspend(() =>
          Effect.fromNullable(
            receiver.received.find(
              (one) => one.body.type === "connection.degraded" && one.body.data.connection.id === id
            )
          )
        )
      )
      expect(body.data.missing).toEqual([
        {
          host: "@",
          type: "A",
          expected: "192.0.2.31",
          seen: ["A 192.0.2.99"],
          diagnosis: "old_value_remains",
          fix: "A beside.com: We found A 192.0.2.99 instead. Change it to this, and save. If you have, wait some minutes. Value: 192.0.2.31"
        }
      ])
    }).pipe(Effect.provide(service))
  )
})
