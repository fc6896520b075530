import { expect } from "bun:test"
import { Effect } from "effect"
import { type ApiClient, makeApiClient, retryUntilAnswered } from "../../prove/ApiClient.ts"
import { createProofDatabase } from "../../prove/ProofDatabase.ts"
import { createPlannedConnection, waitForState } from "../../prove/connectionSteps.ts"
import { type AdapterUnderTest, recordsIn } from "../providers/adapters/AdapterUnderTest.ts"
import { type VendorUnderTest, vendorsUnderTest } from "../providers/adapters/vendorsUnderTest.ts"
import { shownCredential } from "../providers/adapters/shownCredential.ts"
import { serveAtLab } from "../support/lab/serveAtLab.ts"
import { describeIfPossible } from "../support/describeIfPossible.ts"
import { describeLab } from "../support/lab/describeLab.ts"
import { labEnvironment } from "../support/labService.ts"
import { startBundledService } from "../support/serviceProcess.ts"
import { makeVendorHosts, vendorHostsUnavailableReason } from "../support/vendors/VendorHosts.ts"
import { missingVendorData } from "../support/vendors/vendorData.ts"

/** The records of the zone before, as a small company has them. */
const linesBefore = (automaticTtl: number) => `
  @    3600  A    192.0.2.10
  @    3600  MX   10 mx1.mailprov.net.
  @    3600  TXT  "v=spf1 ip4:192.0.2.1 -all"
  www  3600  A    192.0.2.10
  shop ${automaticTtl}  A    192.0.2.11`

const desiredRecords = (domain: string) => [
  { host: "www", type: "CNAME", value: "web.hostprov.net" },
  { host: "shop", type: "CNAME", value: "shops.hostprov.net" },
  { host: "@", type: "TXT", value: "v=spf1 include:_spf.mailprov.net -all" },
  { host: "_verify", type: "TXT", value: `platform-verification=${domain}` }
]

/** Connects the zone, repairs what somebody else changed at the vendor, disconnects, and compares the zone. */
const liveThrough = ({ automaticTtl = 3600, host, id: providerId, make }: VendorUnderTest) =>
  Effect.gen(function* () {
    const hosts = yield* makeVendorHosts([host])
    const subject = yield* make({ ...hosts.listener(host), clock: Date.now })
    const { zone: domain } = subject
    yield* subject.replaceSets(recordsIn(domain, linesBefore(automaticTtl)))
    const { publish } = yield* serveAtLab(subject)
    const before = yield* sortedDump(subject)
    const database = yield* createProofDatabase
    const environment = yield* labEnvironment([], { ...hosts.environment, DATABASE_URL: database.url })
    const { url } = yield* startBundledService(environment, hosts.wrap)
    const api = makeApiClient(url, database.key)
    const credential = shownCredential(subject.credential)
    const authorization = { method: "direct_credential", credential }

    const created = yield* createPlannedConnection(api, {
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

    yield* subject.replaceSets(recordsIn(domain, "www 3600 CNAME elsewhere.hostprov.net."))
    const drifted = yield* sortedDump(subject)
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

    yield* command("disconnect", {})
    yield* command("authorization", authorization)
    const { plan: restore } = yield* waitForState(api, created.id, ["planned"])
    yield* command("approval", { digest: restore.digest, acknowledge: restore.warnings })
    const { leftovers } = yield* waitForState(api, created.id, ["disconnected"])
    expect(leftovers).toEqual([])
    expect(yield* sortedDump(subject)).toEqual(before)
  })

const sortedDump = ({ dump }: AdapterUnderTest) => Effect.map(dump, (lines) => lines.toSorted())

const nameOf = (line: string): string => line.split(" ")[0]?.replace(/\.$/, "") ?? ""

const commandsOf = (api: ApiClient, id: string) => (name: string, body: object) =>
  Effect.flatMap(retryUntilAnswered(api.post(`/v1/connections/${id}/${name}`, body)), ({ body, status }) =>
    status === 200 ? Effect.succeed(body.connection) : Effect.dieMessage(`${name}: ${JSON.stringify(body)}`)
  )

describeIfPossible("at the vendor's own host", missingVendorData ?? vendorHostsUnavailableReason(), () => {
  describeLab("a connection of the service as a process", (live) => {
    for (const vendor of vendorsUnderTest)
      live(
        `is planned, written, verified, repaired after a change by another client, and removed again: ${vendor.id}`,
        () => liveThrough(vendor),
        180_000
      )
  })
})
