import { Either, FastCheck as fc } from "effect"
import { ConnectionId } from "../../../src/domain/connection/Connection.ts"
import type { ZoneRecord } from "../../../src/domain/records/DnsRecord.ts"
import { type IntentRequest, type ResolvedIntent, resolveIntent } from "../../../src/domain/connection/Intent.ts"
import type { Zone } from "../../../src/domain/plan/Zone.ts"
import type { ConnectionIntent } from "../../../src/planning/restore/JournaledChange.ts"
import { exampleCom } from "../../support/planFixtures.ts"
import { addValidRecords } from "../arbitraries.ts"

type RecordRequest = IntentRequest["records"][number]

/** Records that connections request at hosts they share. */
const sharedRecords: ReadonlyArray<ReadonlyArray<RecordRequest>> = [
  [{ host: "@", type: "TXT", value: "v=spf1 include:a.example.net ~all", ttl: 300 }],
  [{ host: "@", type: "TXT", value: "v=spf1 include:b.example.net -all" }],
  [{ host: "@", type: "TXT", value: "v=spf1 a include:c.example.net ip4:192.0.2.0/24 -all", optional: true }],
  [{ host: "@", type: "TXT", value: "v=spf1 redirect=_spf.d.example" }],
  [{ host: "_dmarc", type: "TXT", value: "v=DMARC1; p=none; rua=mailto:a@example.net" }],
  [
    {
      host: "_dmarc",
      type: "TXT",
      value: "v=DMARC1; p=none",
      advancedDmarcOptions: { overrideTags: { p: "quarantine" }, addTagsIfNotExist: { rua: "mailto:b@example.net" } }
    }
  ],
  [
    {
      host: "_dmarc",
      type: "TXT",
      value: "v=DMARC1; p=reject",
      ttl: 600,
      advancedDmarcOptions: { removeTags: ["pct"], overrideTags: { sp: "reject" } }
    }
  ],
  [{ host: "s1._domainkey", type: "TXT", value: "v=DKIM1; p=MIGfA" }],
  [{ host: "s1._domainkey", type: "TXT", value: "v=DKIM1; p=MIGfB" }],
  [{ host: "s1._domainkey", type: "CNAME", value: "s1.keys.example.net" }],
  [
    { host: "@", type: "MX", value: "mx1.example.net", priority: 10 },
    { host: "@", type: "MX", value: "mx2.example.net", priority: 20 }
  ],
  [
    { host: "@", type: "MX", value: "mx1.example.net", priority: 5 },
    { host: "@", type: "MX", value: "in.example.org", priority: 10 }
  ],
  [{ host: "@", type: "MX", value: "." }],
  [{ host: "www", type: "CNAME", value: "shops.example.net" }],
  [{ host: "www", type: "CNAME", value: "pages.example.org", ttl: 300 }],
  [{ host: "www", type: "A", value: "198.51.100.1" }],
  [
    { host: "www", type: "A", value: "198.51.100.1", ttl: 60 },
    { host: "www", type: "A", value: "198.51.100.2", ttl: 60 }
  ],
  [{ host: "www", type: "AAAA", value: "2001:db8::1" }],
  [{ host: "www", type: "TXT", value: "site-verification=www", ttl: 60 }],
  [{ host: "@", type: "A", value: "198.51.100.7" }],
  [
    { host: "@", type: "A", value: "198.51.100.8" },
    { host: "@", type: "AAAA", value: "2001:db8::8" }
  ],
  [{ host: "@", type: "CNAME", value: "apex.example.net" }],
  [{ host: "@", type: "TXT", value: "site-verification=one" }],
  [{ host: "@", type: "TXT", value: "site-verification=two", ttl: 60 }],
  [{ host: "@", type: "CAA", value: '0 issue "letsencrypt.org"' }],
  [{ host: "@", type: "CAA", value: '0 issuewild "ca.test"' }],
  [{ host: "@", type: "CAA", value: '0 issue "digicert.com"' }],
  [{ host: "shop", type: "CNAME", value: "shops.example.net" }],
  [{ host: "shop", type: "NS", value: "ns1.example.net" }],
  [{ host: "_sip._tcp", type: "SRV", value: "5 5060 sip.example.net" }],
  [
    { host: "_sip._tcp", type: "SRV", value: "5 5060 sip.example.net", priority: 20 },
    { host: "_sip._tcp", type: "SRV", value: "5 5061 sip.example.net" }
  ],
  [{ host: "*", type: "A", value: "198.51.100.9" }],
  [{ host: "mail", type: "CAA", value: '0 issue "letsencrypt.org"' }],
  [
    {
      host: "_dmarc.mail",
      type: "TXT",
      value: "v=DMARC1; p=none",
      advancedDmarcOptions: { inheritRootDmarc: true }
    }
  ]
]

/** Records that connections request at their own domain below the zone. */
const below: ReadonlyArray<ReadonlyArray<RecordRequest>> = [
  [{ host: "@", type: "A", value: "198.51.100.3" }],
  [{ host: "@", type: "CNAME", value: "shops.example.org" }],
  [{ host: "@", type: "TXT", value: "v=spf1 include:a.example.net ~all" }],
  [{ host: "@", type: "TXT", value: "site-verification=shop" }],
  [{ host: "www", type: "CNAME", value: "shops.example.net" }],
  [{ host: "@", type: "MX", value: "mx1.example.net", priority: 10 }],
  [{ host: "s1._domainkey", type: "TXT", value: "v=DKIM1; p=MIGfA" }],
  [{ host: "_dmarc", type: "TXT", value: "v=DMARC1; p=none; rua=mailto:a@example.net" }]
]

const intentFor = (domain: string, parts: ReadonlyArray<ReadonlyArray<RecordRequest>>) =>
  fc
    .tuple(
      fc.uniqueArray(fc.constantFrom(...parts), { minLength: 1, maxLength: 4 }),
      fc.record({ validateDmarc: fc.boolean(), validateCAA: fc.boolean() })
    )
    .map(([chosen, existingRecordPolicy]) =>
      chosen.reduce<ResolvedIntent | undefined>((intent, part) => {
        const records = [...(intent?.intent.records ?? []), ...part]
        return Either.getOrElse(resolveIntent({ domain, records, existingRecordPolicy }), () => intent)
      }, undefined)
    )
    .map((intent) => {
      if (intent === undefined) throw new Error("each group of records must resolve on its own")
      return intent
    })

/** An intent for the domain of the zone. */
export const zoneIntent: fc.Arbitrary<ResolvedIntent> = intentFor("example.com", sharedRecords)

const intent: fc.Arbitrary<ResolvedIntent> = fc.oneof(
  { weight: 4, arbitrary: zoneIntent },
  { weight: 1, arbitrary: intentFor("shop.example.com", below) }
)

const standing: ReadonlyArray<Omit<ZoneRecord, "ttl">> = [
  { host: "@", type: "NS", value: "ns1.example.com" },
  { host: "@", type: "A", value: "192.0.2.1" },
  { host: "@", type: "A", value: "192.0.2.2" },
  { host: "@", type: "AAAA", value: "2001:db8::2" },
  { host: "@", type: "HTTPS", value: "1 . ipv4hint=192.0.2.1" },
  { host: "@", type: "MX", value: "mail.example.com", priority: 10 },
  { host: "@", type: "MX", value: "mx1.example.net", priority: 20 },
  { host: "@", type: "TXT", value: "v=spf1  MX a:Mail.example.com -all" },
  { host: "@", type: "TXT", value: "v=spf1 include:a.example.net ?all" },
  { host: "@", type: "TXT", value: "v=spf1 include: ip4:999.1.1.1 a -all" },
  { host: "@", type: "TXT", value: "v=spf1 include:old.example.net redirect=_spf.example.org" },
  { host: "@", type: "TXT", value: "site-verification=one" },
  { host: "@", type: "TXT", value: "hello" },
  { host: "@", type: "CAA", value: '0 issue "ca.example"' },
  { host: "@", type: "CAA", value: '0 issuewild ";"' },
  { host: "_dmarc", type: "TXT", value: "v=DMARC1;p=reject;pct=50;rua=mailto:r@example.com" },
  { host: "_dmarc", type: "TXT", value: "v=DMARC1; p=none" },
  { host: "_dmarc", type: "TXT", value: "v=DMARC1; p=block" },
  { host: "_dmarc", type: "CNAME", value: "dmarc.example.org" },
  { host: "s1._domainkey", type: "TXT", value: "k=rsa; p=OLD" },
  { host: "s1._domainkey", type: "CNAME", value: "s1.old.example.net" },
  { host: "www", type: "A", value: "192.0.2.3" },
  { host: "www", type: "AAAA", value: "2001:db8::3" },
  { host: "www", type: "CNAME", value: "old.example.net" },
  { host: "www", type: "TXT", value: "www" },
  { host: "www", type: "MX", value: "mail.example.com", priority: 10 },
  { host: "shop", type: "A", value: "192.0.2.4" },
  { host: "shop", type: "TXT", value: "v=spf1 mx ~all" },
  { host: "shop", type: "CNAME", value: "old.example.net" },
  { host: "www.shop", type: "A", value: "192.0.2.5" },
  { host: "_sip._tcp", type: "SRV", value: "5 5060 sip.example.net", priority: 10 },
  { host: "_sip._tcp", type: "SRV", value: "9 5060 old.example.net", priority: 30 },
  { host: "*", type: "A", value: "192.0.2.6" },
  { host: "elsewhere", type: "A", value: "192.0.2.7" }
]

/** The zone before any connection. */
export const zone: fc.Arbitrary<Zone> = fc
  .tuple(
    fc.shuffledSubarray([...standing]),
    fc.array(fc.constantFrom(60, 300, 3600), { minLength: standing.length, maxLength: standing.length })
  )
  .map(([records, ttls]) => ({
    name: exampleCom,
    basis: "provider",
    records: addValidRecords(
      [],
      records.map((record, index) => ({ ...record, ttl: ttls[index] ?? 300 })),
      true
    )
  }))

/**
 * A zone, its connections in order, and the steps: the index of an active connection disconnects it, any other number
 * connects the next one.
 */
export interface RestoreScenario {
  readonly zone: Zone
  readonly intents: ReadonlyArray<ConnectionIntent>
  readonly steps: ReadonlyArray<number>
}

export const scenario: fc.Arbitrary<RestoreScenario> = fc.record({
  zone,
  intents: fc
    .array(intent, { minLength: 1, maxLength: 4 })
    .map((intents) => intents.map((intent, index) => ({ id: ConnectionId.make(`con_${index}`), intent }))),
  steps: fc.array(fc.nat({ max: 6 }), { minLength: 8, maxLength: 8 })
})
