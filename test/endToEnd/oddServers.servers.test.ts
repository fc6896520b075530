import { describe, expect } from "bun:test"
import { Effect, Layer, Schema } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { createTestConnection } from "../support/TestConnection.ts"
import { nameSkipped } from "../support/describeIfPossible.ts"
import { Lab } from "../support/lab/Lab.ts"
import { makeOddServers, missingOddServers, type OddRecord } from "../support/lab/OddServer.ts"
import { describeServiceInLab } from "../support/lab/describeLab.ts"
import { labService } from "../support/labService.ts"
import { get, issueKey, jsonOf } from "../support/testApi.ts"
import { vendorData } from "../support/vendors/vendorData.ts"
import { eventually } from "../webhooks/Receiver.ts"

const service = labService([], { environment: { OUTBOUND_ALLOW: "127.0.0.0/8", LOG_LEVEL: "none" } })

const ServerReport = Schema.Struct({
  id: Schema.String,
  faults: Schema.Array(Schema.Array(Schema.String)),
  intent: Schema.Array(
    Schema.Struct({
      host: Schema.String,
      type: Schema.String,
      value: Schema.String,
      ttl: Schema.optional(Schema.Number)
    })
  ),
  apexCname: Schema.optional(Schema.String)
})
type ServerReport = typeof ServerReport.Type

const reportsDirectory = `${vendorData}reports/`

/** The reports of servers with faults. */
const reports: ReadonlyArray<ServerReport> =
  missingOddServers === undefined
    ? readdirSync(reportsDirectory)
        .filter((name) => /^server-.*\.json$/.test(name))
        .map((name) =>
          Schema.decodeUnknownSync(Schema.parseJson(ServerReport))(readFileSync(`${reportsDirectory}${name}`, "utf8"))
        )
    : []

/** A new alias, an address that replaces another one, and a new text. */
const intent = [
  { host: "shop", type: "CNAME", value: "stores.knotprov.org" },
  { host: "www", type: "A", value: "198.51.100.77" },
  { host: "_connect", type: "TXT", value: "connect=1" }
]

const types = ["AAAA", "SRV", "CAA", "HTTPS", "SVCB", "TLSA", "DS", "NAPTR", "SPF"]

/** NOTIMP, REFUSED, SERVFAIL and silence. */
const failures = ["4", "5", "2", "drop"]

/** Members of the same families: types with each kind of failure, and the ways in which a server or an apex is odd. */
const variants: ReadonlyArray<ServerReport> = [
  ...failures.map((how) => ({ id: `all-${how}`, faults: [types.map((type) => `fail ${type} ${how}`)], intent })),
  ...types.map((type, nth) => {
    const how = failures[nth % failures.length]
    return { id: `${type}-${how}`.toLowerCase(), faults: [[`fail ${type} ${how}`]], intent }
  }),
  { id: "no-aa", faults: [["no_aa"]], intent },
  { id: "no-aa-caa", faults: [["no_aa", "fail CAA 2"]], intent },
  { id: "apex", faults: [["apex_cname"]], intent, apexCname: "cust.legacy-host.dev" },
  { id: "no-edns", faults: [["edns_formerr", "fail CAA 1"]], intent },
  { id: "silent-edns", faults: [["edns_drop", "fail CAA 4"]], intent },
  { id: "nxdomain", faults: [["nxdomain_new_types", "parent_soa"]], intent },
  { id: "xn--bcher-kva", faults: [["fail CAA 4", "upper_case_owner"]], intent }
]

/** Whether the address at `www` may replace a record that the servers do not answer for: NOTIMP says that there is none. */
const isUnknown = (faults: ReadonlyArray<string>, records: ServerReport["intent"]): boolean =>
  records.some(({ host, type }) => host === "www" && type === "A") &&
  faults.some((fault) => /^fail (AAAA|HTTPS|SVCB) (?!4)/.test(fault))

/** Each domain has servers of its own, so that what the service learns of them tells it nothing of others. */
const serversOf = (nth: number) =>
  [1, 2].map((of) => ({ name: `ns${of}-${nth}.oddprov.net`, address: `127.10.8.${2 * nth + of}` }))

/** The zone with the names of all servers. */
const provider = Layer.effectDiscard(
  Effect.gen(function* () {
    const { delegate, pdns } = yield* Lab
    const servers = [...reports, ...variants].flatMap((_, nth) => serversOf(nth))
    const lines = servers.map(({ address, name }) => `${name}. A ${address}`)
    yield* pdns.createZone("oddprov.net", ["@ NS ns1.pdnsprov.net.", ...lines].join("\n"))
    yield* delegate("oddprov.net", ["ns1.pdnsprov.net"])
  })
)

const zoneRecords = (
  domain: string,
  nameServers: ReadonlyArray<string>,
  apexCname: string | undefined
): ReadonlyArray<OddRecord> => [
  [domain, "SOA", 300, `${nameServers[0]} hostmaster.${domain} 1 7200 3600 1209600 300`],
  ...nameServers.map((name): OddRecord => [domain, "NS", 300, name]),
  [`www.${domain}`, "A", 300, "192.0.2.20"],
  ...(apexCname === undefined ? [] : [[domain, "CNAME", 300, apexCname] as const])
]

/** The zone after a person entered the changes of a plan. */
const enter = (
  records: ReadonlyArray<OddRecord>,
  changes: ReadonlyArray<any>,
  domain: string
): ReadonlyArray<OddRecord> => {
  const nameOf = ({ host }: { readonly host: string }) => (host === "@" ? domain : `${host}.${domain}`)
  const removed = new Set(
    changes.flatMap(({ before }) => (before ? [`${nameOf(before)} ${before.type} ${before.value}`] : []))
  )
  return [
    ...records.filter(([name, type, , value]) => !removed.has(`${name} ${type} ${value}`)),
    ...changes.flatMap(({ after }): ReadonlyArray<OddRecord> =>
      after ? [[nameOf(after), after.type, after.ttl, after.value]] : []
    )
  ]
}

const tests = (id: string) => `a domain whose servers are odd is planned, connected and stays active: ${id}`

const connect = (
  { apexCname, faults: [faults = []], id, intent: records }: ServerReport,
  servers: ReturnType<typeof serversOf>
) =>
  Effect.gen(function* () {
    const { delegate } = yield* Lab
    const { serve } = yield* makeOddServers(servers.map(({ address }) => address))
    const domain = `${id.replaceAll("_", "-")}.com`
    const nameServers = servers.map(({ name }) => name)
    yield* delegate(domain, nameServers)
    const before = zoneRecords(domain, nameServers, apexCname)
    yield* serve({ zone: domain, records: before, faults })
    const { key } = yield* issueKey()
    const connection = yield* createTestConnection(key, { domain, records })
    const { plan, state } = connection.created
    expect([id, connection.created.failure, state]).toEqual([id, undefined, "awaiting_manual"])
    const unknown = plan.warningDetails.filter(({ code }: any) => code === "lookup_unknown")
    expect(unknown.map(({ requiresAcknowledgement }: any) => requiresAcknowledgement)).toEqual(
      isUnknown(faults, records) ? [true] : []
    )
    yield* connection.command("authorization", { method: "manual" })
    yield* serve({ zone: domain, records: enter(before, plan.changes, domain), faults })
    yield* connection.command("recheck")
    yield* connection.waitForState("active")
    const readStatuses = Effect.map(
      Effect.flatMap(get(`/v1/connections/${connection.id}/records`, key), jsonOf),
      (body) => ({
        checkedAt: body.records[0]?.checkedAt,
        statuses: body.records.map(({ status }: any) => status)
      })
    )
    const first = yield* readStatuses
    yield* connection.command("recheck")
    const again = yield* eventually(Effect.filterOrFail(readStatuses, ({ checkedAt }) => checkedAt !== first.checkedAt))
    expect(new Set(again.statuses)).toEqual(new Set(["present"]))
    expect((yield* connection.read).state).toBe("active")
    return connection.created
  })

if (missingOddServers !== undefined) describe.skip(nameSkipped("odd servers", missingOddServers), () => {})
else
  describeServiceInLab("odd servers", Layer.merge(provider, service), (live) => {
    for (const [nth, report] of [...reports, ...variants].entries())
      live(tests(report.id), () => connect(report, serversOf(nth)))
  })
