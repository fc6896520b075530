import { SqlClient } from "@effect/sql"
import { expect } from "bun:test"
import { Effect } from "effect"
import { freshTestModeDatabase, poolOn, urlOf } from "../persistence/freshDatabase.ts"
import { concurrentTest } from "../support/concurrentTest.ts"
import { issueTestKey, requesterWith, testModeService } from "./testModeService.ts"

concurrentTest(
  "the zone of a test connection can be read, before and after a write, in the form that change-records takes",
  () =>
    Effect.gen(function* () {
      const url = urlOf(yield* freshTestModeDatabase)
      yield* Effect.gen(function* () {
        const { authorizeAndApprove, connect, send, test } = yield* requesterWith(yield* issueTestKey(url))
        const { id } = yield* connect("bakery-mail.test")
        const read = Effect.map(send("GET", `/v1/test/connections/${id}/zone`), ({ json }) => json)
        const before = yield* read
        expect(before.zone).toBe("bakery-mail.test")
        expect(before.records).toEqual([
          {
            name: "bakery-mail.test",
            type: "NS",
            ttl: 300,
            values: ["ns1.test-dns.test", "ns2.test-dns.test"]
          },
          { name: "bakery-mail.test", type: "A", ttl: 300, values: ["203.0.113.10"] },
          { name: "www.bakery-mail.test", type: "CNAME", ttl: 300, values: ["bakery-mail.test"] },
          { name: "bakery-mail.test", type: "MX", ttl: 300, values: ["10 mail.bakery-mail.test"] },
          { name: "mail.bakery-mail.test", type: "A", ttl: 300, values: ["203.0.113.25"] },
          { name: "bakery-mail.test", type: "TXT", ttl: 300, values: ["v=spf1 mx -all"] },
          {
            name: "_dmarc.bakery-mail.test",
            type: "TXT",
            ttl: 300,
            values: ["v=DMARC1; p=none; rua=mailto:dmarc@bakery-mail.test"]
          }
        ])
        yield* authorizeAndApprove(id, "active")
        const written = { name: "shop.bakery-mail.test", type: "CNAME", values: ["shops.platform.example"] }
        expect((yield* read).records).toContainEqual(expect.objectContaining(written))

        const sent = before.records.map(({ name, type, values }: any) => ({ host: name, type, values }))
        expect((yield* test(id, "change-records", { records: sent })).status).toBe(200)
        const withoutShop = (yield* read).records.filter(({ name }: any) => name !== written.name)
        expect(sortByName(withoutShop)).toEqual(sortByName(before.records))

        const other = yield* requesterWith(yield* issueTestKey(url, "other"))
        expect((yield* other.send("GET", `/v1/test/connections/${id}/zone`)).status).toBe(404)
      }).pipe(Effect.provide(testModeService(url)))
    })
)

concurrentTest("records that no zone can hold, and hosts that no change is at, are refused by name", () =>
  Effect.gen(function* () {
    const url = urlOf(yield* freshTestModeDatabase)
    yield* Effect.gen(function* () {
      const { command, connect, send, test } = yield* requesterWith(yield* issueTestKey(url))
      const { id } = yield* connect("one-click.test")
      const zone = Effect.map(send("GET", `/v1/test/connections/${id}/zone`), ({ json }) => json.records)
      const before = yield* zone
      const refusalOf = (call: string, body: object) =>
        Effect.map(test(id, call, body), ({ json, status }) => [
          status,
          json.error?.code,
          json.error?.details?.map(({ pointer }: any) => pointer)
        ])
      expect(
        yield* refusalOf("change-records", {
          records: [
            { host: "shop", type: "A", values: ["203.0.113.1"] },
            { host: "shop..", type: "A", values: [] },
            { host: "shop.other-domain.example.", type: "A", values: [] },
            { host: "shop", type: "A", values: ["203.0.113.1", "no address"] },
            { host: "@", type: "MX", values: ["mail.example.net"] }
          ]
        })
      ).toEqual([
        422,
        "unprocessable",
        ["/records/1/host", "/records/2/host", "/records/3/values/1", "/records/4/values/0"]
      ])
      expect(yield* refusalOf("enter-records", { hosts: ["shop", "store"] })).toEqual([
        422,
        "unprocessable",
        ["/hosts/1"]
      ])
      expect(yield* zone).toEqual(before)
      const named = { host: "SHOP.one-click.test", type: "A", values: ["203.0.113.9"] }
      yield* test(id, "change-records", { records: [named] })
      expect(yield* zone).toContainEqual({ name: "shop.one-click.test", type: "A", ttl: 300, values: named.values })
      expect((yield* test(id, "enter-records", { hosts: ["shop.one-click.test"] })).status).toBe(200)
      yield* command(id, "cancel")
      const ended = yield* test(id, "enter-records", {})
      expect([ended.status, ended.json.error.code]).toEqual([409, "connection_ended"])
    }).pipe(Effect.provide(testModeService(url)))
  })
)

concurrentTest("a test zone takes no more than a provider would store, from a call or from an approved plan", () =>
  Effect.gen(function* () {
    const url = urlOf(yield* freshTestModeDatabase)
    yield* Effect.gen(function* () {
      const { authorizeAndApprove, connect, test } = yield* requesterWith(yield* issueTestKey(url))
      const { id } = yield* connect("one-click.test")
      const text = "x".repeat(2_000)
      const fill = (round: number, perHost = 1) =>
        test(id, "change-records", {
          records: Array.from({ length: 25 }, (_, index) => ({
            host: `host-${round}-${index}`,
            type: "TXT",
            values: Array.from({ length: perHost }, (_, nth) => `${nth}${text}`)
          }))
        })
      const statuses = yield* Effect.forEach(
        Array.from({ length: 3 }, (_, round) => round),
        (round) => Effect.map(fill(round), ({ status }) => status)
      )
      expect(statuses).toEqual([200, 200, 422])
      const long = Array.from({ length: 8 }, (_, nth) => ({
        host: `long-${nth}`,
        type: "TXT",
        value: "y".repeat(4_000)
      }))
      const other = yield* connect("one-click.test", long)
      const { failure, state } = yield* authorizeAndApprove(other.id, "active", "failed")
      expect([state, failure?.code]).toEqual(["failed", "apply_rejected"])
    }).pipe(Effect.provide(testModeService(url)))
  })
)

concurrentTest("a tenant that has used up its storage writes no more to its test zones", () =>
  Effect.gen(function* () {
    const database = yield* freshTestModeDatabase
    const url = urlOf(database)
    const key = yield* issueTestKey(url)
    // What a connection takes does not fit any more.
    yield* Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql`
        insert into domain_connection_test.tenant_usage (application_id, tenant_id, ended_bytes)
        values ('app', 'tenant', 1024 * 1024 - 100)`
    ).pipe(Effect.provide(poolOn(database, 1)))
    yield* Effect.gen(function* () {
      const { connect, send, test, waitFor } = yield* requesterWith(key)
      const { id } = yield* connect("shop-by-hand.test")
      yield* waitFor(id, "awaiting_manual")
      const zone = Effect.map(send("GET", `/v1/test/connections/${id}/zone`), ({ json }) => json.records)
      const before = yield* zone
      const records = [{ host: "shop", type: "A", values: ["203.0.113.9"] }]
      const answers = [yield* test(id, "change-records", { records }), yield* test(id, "enter-records", {})]
      for (const { json, status } of answers) {
        expect([status, json.error?.code]).toEqual([429, "quota_exceeded"])
        expect(json.error.details).toEqual([expect.objectContaining({ code: "storage_per_tenant" })])
      }
      expect(yield* zone).toEqual(before)
      expect((yield* test(id, "advance", { seconds: 60 })).status).toBe(200)
    }).pipe(Effect.provide(testModeService(url, undefined, { STORAGE_PER_TENANT_MIB: "1" })))
  })
)

const sortByName = (records: ReadonlyArray<{ readonly name: string; readonly type: string }>) =>
  records.toSorted((one, other) => `${one.name} ${one.type}`.localeCompare(`${other.name} ${other.type}`))
