import { expect } from "bun:test"
import { Effect } from "effect"
import type { ServerAdapterUnderTest } from "../providers/adapters/AdapterUnderTest.ts"
import { powerDnsUnderTest } from "../providers/adapters/powerdns/powerDnsUnderTest.ts"
import { rfc2136UnderTest } from "../providers/adapters/rfc2136/rfc2136UnderTest.ts"
import { createTestConnection } from "../support/TestConnection.ts"
import { Lab } from "../support/lab/Lab.ts"
import { describeLab } from "../support/lab/describeLab.ts"
import { labBind, labPowerDns, labService } from "../support/labService.ts"
import { get, issueKey, jsonOf } from "../support/testApi.ts"

const digest = "0123456789abcdef".repeat(4)

/** Records of the types that are written as in a zone file, with what else they need. */
const recordsByType = {
  HTTPS: [
    { host: "web", type: "HTTPS", value: '1 . port=8443 alpn="h3,h2" ipv4hint=192.0.2.1' },
    { host: "alias", type: "HTTPS", value: "0 web.hostprov.net." }
  ],
  SVCB: [{ host: "_dns", type: "SVCB", value: '1 dns.hostprov.net alpn=dot key7="/dns-query{?dns}"' }],
  TLSA: [{ host: "_443._tcp.web", type: "TLSA", value: `3 1 1 ${digest.toUpperCase()}` }],
  SSHFP: [{ host: "web", type: "SSHFP", value: `4 2 ${digest}` }],
  NAPTR: [
    { host: "sip", type: "NAPTR", value: '10 100 "S" "SIP+D2U" "" _sip._udp.hostprov.net' },
    { host: "tel", type: "NAPTR", value: '10 100 "U" "E2U+sip" "!^.*$!sip:a b@example.com!" .' }
  ],
  DS: [
    { host: "part", type: "NS", value: "ns1.hostprov.net" },
    { host: "part", type: "DS", value: `60485 13 2 ${digest}` }
  ]
}

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

/** Connects a zone with the records, checks that its servers show them, connects it once more, and disconnects. */
const connectWith = (subject: ServerAdapterUnderTest, credential: object, records: ReadonlyArray<{ type: string }>) =>
  Effect.gen(function* () {
    const { key } = yield* issueKey()
    const before = yield* subject.dump
    const connection = yield* createTestConnection(key, { domain: subject.zone, records })
    const { command, created, id, waitForState } = connection
    expect(created.plan.changes.map(({ action, after }: any) => [action, after.type]).toSorted()).toEqual(
      records.map(({ type }) => ["create", type]).toSorted()
    )
    const authorize = { method: "direct_credential", credential }
    yield* command("authorization", {
      ...authorize,
      approvedDigest: created.plan.digest,
      acknowledge: created.plan.warnings
    })
    yield* waitForState("active")
    const { records: shown } = yield* Effect.flatMap(get(`/v1/connections/${id}/records`, key), jsonOf)
    expect(shown.map(({ status }: any) => status)).toEqual(records.map(() => "present"))
    expect((yield* subject.dump).length).toBe(before.length + records.length)

    yield* command("disconnect")
    yield* command("authorization", authorize)
    const { plan } = yield* waitForState("planned")
    yield* command("approval", { digest: plan.digest, acknowledge: plan.warnings })
    const { leftovers } = yield* waitForState("disconnected")
    expect([leftovers, yield* subject.dump]).toEqual([[], before])
  }).pipe(Effect.provide(labService(declarations)))

describeLab("a connection with records of a type that is written as in a zone file", (live) => {
  for (const [type, records] of Object.entries(recordsByType))
    live(`is active at PowerDNS, and leaves the zone as it was: ${type}`, () =>
      Effect.flatMap(Lab, ({ pdns }) => connectWith(powerDnsUnderTest(pdns), { apiToken: pdns.key }, records))
    )

  live("is active at BIND, with all types", () =>
    Effect.flatMap(Lab, ({ bind }) =>
      connectWith(
        rfc2136UnderTest(bind, "bindzone.com", "ns1.bindprov.net"),
        bind.key,
        Object.values(recordsByType).flat()
      )
    )
  )

  live("is active at Knot, with all types", () =>
    Effect.flatMap(Lab, ({ knot }) =>
      connectWith(
        rfc2136UnderTest(knot, "knotzone.com", "ns1.knotprov.net"),
        knot.key,
        Object.values(recordsByType).flat()
      )
    )
  )
})
