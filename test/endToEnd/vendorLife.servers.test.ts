import { SqlClient } from "@effect/sql"
import { expect } from "bun:test"
import { Effect } from "effect"
import { toStorableTtl } from "../../src/domain/provider/Provider.ts"
import { catalog, limitsOf, unknownProvider } from "../../src/providers/catalog/catalog.ts"
import { type ApiClient, makeApiClient, retryUntilAnswered } from "../../prove/ApiClient.ts"
import { createProofDatabase } from "../../prove/ProofDatabase.ts"
import {
  authorizeAndApprove,
  createPlannedConnection,
  type DesiredConnection,
  waitForState
} from "../../prove/connectionSteps.ts"
import { type AdapterUnderTest, loadRecords, recordsIn } from "../providers/adapters/AdapterUnderTest.ts"
import { startVendor, type VendorUnderTest, vendorsWithCredential } from "../providers/adapters/vendorsUnderTest.ts"
import { shownCredential } from "../providers/adapters/shownCredential.ts"
import { serveAtLab } from "../support/lab/serveAtLab.ts"
import { describeIfPossible } from "../support/describeIfPossible.ts"
import { describeLab } from "../support/lab/describeLab.ts"
import { labEnvironment } from "../support/labService.ts"
import { startCompiledService } from "../support/serviceProcess.ts"
import { vendorHostsUnavailableReason } from "../support/vendors/VendorHosts.ts"
import { missingVendorData } from "../support/vendors/vendorData.ts"

/** The records of the zone before, as a small company has them; without those that the vendor does not have. */
const linesBefore = (automaticTtl: number) => `
  @    3600  A    192.0.2.10
  @    3600  MX   10 mx1.mailprov.net.
  @    3600  TXT  "v=spf1 ip4:192.0.2.1 -all"
  www  3600  A    192.0.2.10
  shop ${automaticTtl}  A    192.0.2.11
  shop 3600  TLSA 3 1 1 ${"ab".repeat(32)}`

/** Less than the minimum of most vendors, in seconds. */
const shortTtl = 20

const desiredRecords = (domain: string) => [
  { host: "www", type: "CNAME", value: "web.hostprov.net" },
  { host: "shop", type: "CNAME", value: "shops.hostprov.net" },
  { host: "@", type: "TXT", value: "v=spf1 include:_spf.mailprov.net -all" },
  { host: "_verify", type: "TXT", value: `platform-verification=${domain}`, ttl: shortTtl }
]

/** Those of a second connection: one shares its host and type with a record of the first. */
const otherRecords = [
  { host: "blog", type: "CNAME", value: "web.hostprov.net" },
  { host: "_verify", type: "TXT", value: "another-platform", ttl: shortTtl }
]

/**
 * Connects the zone twice, repairs what somebody else changed at the vendor, disconnects the first connection and then the
 * second, and compares the zone.
 */
const liveThrough = (vendor: VendorUnderTest) =>
  Effect.gen(function* () {
    const { automaticTtl = 3600, id: providerId } = vendor
    const { hosts, subject } = yield* startVendor(vendor)
    const { zone: domain } = subject
    yield* loadRecords(subject, domain, linesBefore(automaticTtl))
    const { publish } = yield* serveAtLab(subject)
    const before = yield* sortedDump(subject)
    const database = yield* createProofDatabase
    const environment = yield* labEnvironment([], { ...hosts.environment, DATABASE_URL: database.url })
    const { url } = yield* startCompiledService(environment, hosts.wrap)
    const api = makeApiClient(url, database.key)
    const credential = shownCredential(subject.credential)
    const authorization = { method: "direct_credential", credential }

    const created = yield* createAtProvider(api, providerId, {
      idempotencyKey: domain,
      domain,
      records: desiredRecords(domain),
      credential
    })
    expect([created.provider.id, created.provider.implementation]).toEqual([providerId, "automatic"])
    const command = commandsOf(api, created.id)
    yield* command("authorization", authorization)
    const { plan } = yield* waitForState(api, created.id, ["planned"])
    expect(plan.basis).toBe("provider")
    yield* command("approval", { digest: plan.digest, acknowledge: plan.warnings })
    yield* waitForState(api, created.id, ["active"])
    expect((yield* sortedDump(subject)).filter(isAt(`_verify.${domain}`)).map(ttlOf)).toEqual([
      `${storableTtl(providerId)}`
    ])

    yield* subject.replaceSets(recordsIn(domain, "www 3600 CNAME elsewhere.hostprov.net."))
    const drifted = yield* sortedDump(subject)
    yield* database.run(ageWrites)
    yield* publish
    yield* command("recheck", {})
    yield* waitForState(api, created.id, ["degraded"])
    yield* command("retry", {})
    const { plan: repair } = yield* waitForState(api, created.id, ["awaiting_authorization"])
    yield* command("authorization", {
      ...authorization,
      approvedDigest: repair.digest,
      acknowledge: repair.warnings
    })
    yield* waitForState(api, created.id, ["active"])
    const repaired = yield* sortedDump(subject)
    expect(drifted.filter((line) => !repaired.includes(line)).map(nameOf)).toEqual([`www.${domain}`])

    const desired = { idempotencyKey: `other-${domain}`, domain, records: otherRecords, credential }
    const other = yield* createAtProvider(api, providerId, desired)
    yield* authorizeAndApprove(api, other, desired)
    yield* waitForState(api, other.id, ["active"])

    const disconnect = (id: string) =>
      Effect.gen(function* () {
        const command = commandsOf(api, id)
        yield* command("disconnect", {})
        yield* command("authorization", authorization)
        const { plan: restore } = yield* waitForState(api, id, ["planned"])
        yield* command("approval", { digest: restore.digest, acknowledge: restore.warnings })
        expect((yield* waitForState(api, id, ["disconnected"])).leftovers).toEqual([])
        return yield* sortedDump(subject)
      })
    const withOther = yield* disconnect(created.id)
    expect(withOther.filter((line) => !before.includes(line)).map(nameOf)).toEqual([
      `_verify.${domain}`,
      `blog.${domain}`
    ])
    expect(before.filter((line) => !withOther.includes(line))).toEqual([])
    expect(withOther.find(isAt(`_verify.${domain}`))).toContain("another-platform")
    expect(yield* disconnect(other.id)).toEqual(before)
  })

/** Creates a connection; where the name servers are those of several providers, the customer says whose the zone is. */
const createAtProvider = (api: ApiClient, providerId: string, desired: DesiredConnection) =>
  Effect.gen(function* () {
    const created = yield* createPlannedConnection(api, desired)
    if (created.provider.detection.candidates?.some(({ id }: { readonly id: string }) => id === providerId) !== true)
      return created
    yield* commandsOf(api, created.id)("provider", { provider: providerId })
    return yield* waitForState(api, created.id, ["awaiting_authorization"])
  })

/**
 * Makes the writes so old that the vendor's lists show them: until then the service takes what somebody else has changed
 * for a list that lags, and waits.
 */
const ageWrites = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`update journal set settled_at = settled_at - interval '1 minute'`
)

/** What the vendor stores for the short TTL. */
const storableTtl = (providerId: string): number =>
  toStorableTtl(
    shortTtl,
    limitsOf(catalog.find(({ provider }) => provider.id === providerId)?.provider ?? unknownProvider).ttl
  )

const isAt =
  (name: string) =>
  (line: string): boolean =>
    nameOf(line) === name

const ttlOf = (line: string): string => line.split(" ")[1] ?? ""

const sortedDump = ({ dump }: AdapterUnderTest) => Effect.map(dump, (lines) => lines.toSorted())

const nameOf = (line: string): string => line.split(" ")[0]?.replace(/\.$/, "") ?? ""

const commandsOf = (api: ApiClient, id: string) => (name: string, body: object) =>
  Effect.flatMap(retryUntilAnswered(api.post(`/v1/connections/${id}/${name}`, body)), ({ body, status }) =>
    status === 200 ? Effect.succeed(body.connection) : Effect.dieMessage(`${name}: ${JSON.stringify(body)}`)
  )

describeIfPossible("at the vendor's own host", missingVendorData ?? vendorHostsUnavailableReason(), () => {
  describeLab("a connection of the service as a process", (live) => {
    for (const vendor of vendorsWithCredential)
      live(
        `is planned, written, verified, repaired after a change by another client, and removed again beside another one: ${vendor.id}`,
        () => liveThrough(vendor)
      )
  })
})
