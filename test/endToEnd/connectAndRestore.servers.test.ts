import { expect } from "bun:test"
import { Effect } from "effect"
import type { ServerAdapterUnderTest } from "../providers/adapters/AdapterUnderTest.ts"
import { powerDnsUnderTest } from "../providers/adapters/powerdns/powerDnsUnderTest.ts"
import { rfc2136UnderTest } from "../providers/adapters/rfc2136/rfc2136UnderTest.ts"
import { createTestConnection } from "../support/TestConnection.ts"
import { Lab } from "../support/lab/Lab.ts"
import type { RRsetChange } from "../support/lab/RRsetChange.ts"
import { describeLab } from "../support/lab/describeLab.ts"
import { labBind, labPowerDns, labService } from "../support/labService.ts"
import { get, issueKey, jsonOf } from "../support/testApi.ts"

/** The operator's declarations of the lab's DNS servers. */
const declarations = [
  { ...labPowerDns, nameServers: ["glued.com", ...labPowerDns.nameServers] },
  labBind,
  {
    id: "lab-knot",
    name: "Knot",
    adapter: "rfc2136",
    nameServers: ["knotprov.net"],
    settings: { server: "127.10.3.1" }
  }
]

const intentFor = (domain: string) => ({
  domain,
  records: [
    { host: "www", type: "CNAME", value: "web.hostprov.net" },
    { host: "@", type: "TXT", value: "v=spf1 include:_spf.mailprov.net -all" },
    { host: "_verify", type: "TXT", value: `platform-verification=${domain}` },
    { host: "@", type: "MX", value: "mx1.mailprov.net", priority: 10 }
  ]
})

/** Connects a zone, repairs a lost record, disconnects, and compares the zone with its state before. */
const connectAndRestore = (subject: ServerAdapterUnderTest, credential: object) =>
  Effect.gen(function* () {
    const { key } = yield* issueKey()
    const before = yield* subject.dump
    const { command, created, id, waitForState } = yield* createTestConnection(key, intentFor(subject.zone))
    expect([created.state, created.plan.basis]).toEqual(["awaiting_authorization", "public_dns"])

    yield* command("authorization", { method: "direct_credential", credential })
    const planned = yield* waitForState("planned")
    expect([planned.plan.basis, planned.plan.digest]).toEqual(["provider", created.plan.digest])
    yield* command("approval", { digest: planned.plan.digest, acknowledge: planned.plan.warnings })
    yield* waitForState("active")
    const { records } = yield* Effect.flatMap(get(`/v1/connections/${id}/records`, key), jsonOf)
    expect(new Set(records.map(({ status }: any) => status))).toEqual(new Set(["present"]))

    yield* subject.server.update(subject.zone, [[deletionOf(`www.${subject.zone}.`, "CNAME")]])
    yield* command("recheck")
    yield* waitForState("degraded")
    yield* command("retry")
    const { plan: repair } = yield* waitForState("awaiting_authorization")
    expect(repair.changes.map(({ action, after }: any) => [action, after.host])).toEqual([["create", "www"]])
    yield* command("authorization", { method: "direct_credential", credential, approvedDigest: repair.digest })
    yield* waitForState("active")

    const disconnecting = yield* command("disconnect")
    expect([disconnecting.state, disconnecting.direction, disconnecting.plan]).toEqual([
      "awaiting_authorization",
      "restore",
      undefined
    ])
    yield* command("authorization", { method: "direct_credential", credential })
    const { plan: restore } = yield* waitForState("planned")
    yield* command("approval", { digest: restore.digest, acknowledge: restore.warnings })
    const { leftovers } = yield* waitForState("disconnected")
    expect(leftovers).toEqual([])
    expect(yield* subject.dump).toEqual(before)
  }).pipe(Effect.provide(labService(declarations)))

const deletionOf = (name: string, type: string): RRsetChange => ({ name, type, changetype: "DELETE" })

describeLab("a connection from its request to its disconnection", (live) => {
  live("restores a zone of PowerDNS byte for byte", () =>
    Effect.flatMap(Lab, ({ pdns }) => connectAndRestore(powerDnsUnderTest(pdns), { apiToken: pdns.key }))
  )
  live("restores a zone of BIND byte for byte", () =>
    Effect.flatMap(Lab, ({ bind }) =>
      connectAndRestore(rfc2136UnderTest(bind, "bindzone.com", "ns1.bindprov.net"), bind.key)
    )
  )
  live("restores a zone of Knot byte for byte", () =>
    Effect.flatMap(Lab, ({ knot }) =>
      connectAndRestore(rfc2136UnderTest(knot, "knotzone.com", "ns1.knotprov.net"), knot.key)
    )
  )
})
