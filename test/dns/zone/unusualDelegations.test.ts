import { describe, expect } from "bun:test"
import { Effect, Either } from "effect"
import { DomainName, HostName } from "../../../src/domain/names/DomainName.ts"
import { live } from "../../support/effectTest.ts"
import type { InternetSpec } from "../../support/lab/ScriptedTopology.ts"
import { replyOf } from "../../support/lab/Zone.ts"
import { drop, type Fault, notAuthoritative, refused, servfail } from "../../support/lab/dnsFaults.ts"
import { dnsFixture, silenceTimeout, withoutDeadline } from "../dnsFixture.ts"

const domain = "example.com"
const nameServers = ["ns1.prov.net", "ns2.prov.net"]
const registry = "a.gtld.test"

const spec: InternetSpec = {
  zones: {
    [domain]: { nameServers, records: "shop CNAME stores.other.com." },
    "other.com": { nameServers: ["ns1.other.net"], records: "stores A 192.0.2.1\ncust A 192.0.2.2" }
  }
}

/** Finds the delegation of a name while servers have a fault, and reads an alias in its zone. */
const findAndRead = (
  fault: Fault,
  {
    at = nameServers,
    name = domain,
    only = {}
  }: {
    readonly at?: ReadonlyArray<string>
    readonly name?: string
    readonly only?: { readonly name?: string; readonly type?: string }
  } = {}
) =>
  Effect.gen(function* () {
    const { delegations, internet, zones } = yield* dnsFixture(spec, fault === drop ? silenceTimeout : undefined)
    at.forEach((server) => internet.script(server, fault, only))
    const found = yield* Effect.either(withoutDeadline(delegations.find(DomainName.make(name))))
    if (Either.isLeft(found)) return found.left._tag
    const delegation = found.right
    const shop = { host: HostName.make("shop"), types: ["CNAME", "A", "NS"] } as const
    const read = yield* Effect.either(
      withoutDeadline(zones.read({ domain: DomainName.make(domain), delegation, hosts: [shop] }))
    )
    return {
      delegation,
      records: Either.match(read, { onLeft: ({ unanswered }) => unanswered, onRight: (_) => _.zone.records })
    }
  })

const alias = { host: "shop", type: "CNAME", value: "stores.other.com", ttl: 300 }

/** A provider that answers every question about the apex with its alias. */
const aliasAtApex: Fault = () =>
  replyOf("NOERROR", {
    authoritative: true,
    answers: [{ name: `${domain}.`, type: "CNAME", ttl: 300, data: "cust.other.com." }]
  })

/** Denies the records at the apex with the SOA of the zone, as if it had no NS records. */
const withoutNameServers: Fault = ({ question }) =>
  replyOf("NOERROR", {
    authoritative: true,
    authority: [
      {
        name: `${domain}.`,
        type: "SOA",
        ttl: 300,
        data: `ns1.prov.net. hostmaster.${question.name} 1 7200 3600 1209600 300`
      }
    ]
  })

describe("a zone is found and read although its servers", () => {
  for (const [what, fault, only] of [
    ["answer every question about its apex with an alias", aliasAtApex, { name: domain }],
    ["show an alias in place of the NS records", aliasAtApex, { name: domain, type: "NS" }],
    ["show no NS records, but the SOA of the zone", withoutNameServers, { name: domain, type: "NS" }],
    ["never set AA", notAuthoritative, {}],
    ["set AA everywhere but at the apex", notAuthoritative, { name: domain }]
  ] as const)
    for (const name of [domain, `www.${domain}`])
      live(`${what}: ${name}`, () =>
        Effect.map(findAndRead(fault, { name, only }), (result) =>
          expect(result).toMatchObject({
            delegation: { zone: domain, parentNameServers: nameServers, childNameServers: nameServers },
            records: [alias]
          })
        )
      )
})

describe("whether a zone is signed", () => {
  for (const [what, fault, reason] of [
    ["fail", servfail, "server_failure"],
    ["refuse", refused, "refused"],
    ["are silent", drop, "timed_out"]
  ] as const)
    live(`is unknown where the servers of its parent ${what} for DS`, () =>
      Effect.map(findAndRead(fault, { at: [registry], only: { type: "DS" } }), (result) =>
        expect(result).toMatchObject({
          delegation: {
            isSigned: false,
            signerFailures: [{ server: registry, reason, question: { name: domain, type: "DS" } }]
          },
          records: [alias]
        })
      )
    )
})
