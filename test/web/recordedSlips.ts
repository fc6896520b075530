import { type Context, Effect } from "effect"
import type { DiagnosisCode } from "../../src/domain/plan/Diagnosis.ts"
import type { Lab } from "../support/lab/Lab.ts"
import { sendQuery } from "../support/lab/sendQuery.ts"
import { zoneEditorQuirks } from "../support/lab/zoneEditorQuirks.ts"
import { recordSet } from "./labCustomer.ts"

/** What somebody enters in place of a record, and what the component says of it. */
export interface RecordedSlip {
  readonly code: DiagnosisCode
  /** What its document is called, where another one shows the same code. */
  readonly name?: string
  readonly record: { readonly host: string; readonly type: string; readonly value: string }
  /** The zone before, as lines `host type data`. */
  readonly before?: ReadonlyArray<string>
  /** The zone after what was entered; `{zone}` stands for its name. */
  readonly entered: ReadonlyArray<string>
  /** What else happens at the name servers before, or at the same time. */
  readonly beside?: (zone: string, lab: Context.Tag.Service<typeof Lab>) => Effect.Effect<unknown>
  /** A zone of the lab on servers of two kinds, in place of one at the provider. */
  readonly zone?: string
  /** By default those of GoDaddy. */
  readonly nameServers?: ReadonlyArray<string>
  /** Whether the resolvers keep what they have read. */
  readonly isCached?: boolean
}

const www = { host: "www", type: "CNAME", value: "web.hostprov.net" }
const page = { host: "@", type: "A", value: "198.51.100.80" }
const senders = { host: "@", type: "TXT", value: "v=spf1 include:_spf.mailprov.net ~all" }
const policy = { host: "_dmarc", type: "TXT", value: "v=DMARC1; p=none" }
const key = `v=DKIM1; k=rsa; p=${"MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A".repeat(8)}`

const cloudflare = ["ada.ns.cloudflare.com", "bob.ns.cloudflare.com"]

const oldPage = "@ A 192.0.2.20"

/** A slip for each diagnosis that the service can reach at a provider like GoDaddy. */
export const recordedSlips: ReadonlyArray<RecordedSlip> = [
  { code: "not_yet", record: www, entered: [] },
  { code: "old_value_remains", record: page, before: [oldPage], entered: [oldPage] },
  { code: "also_there", record: page, before: [oldPage], entered: [oldPage, "@ A 198.51.100.80"] },
  { code: "doubled_zone", record: www, entered: ["www.{zone} CNAME web.hostprov.net"] },
  {
    name: "empty_host",
    code: "doubled_zone",
    record: senders,
    entered: ['{zone} TXT "v=spf1 include:_spf.mailprov.net ~all"'],
    nameServers: zoneEditorQuirks.ovh.nameServers
  },
  { code: "target_doubled", record: www, entered: ["www CNAME web.hostprov.net.{zone}"] },
  { code: "quoted", record: senders, entered: [String.raw`@ TXT "\"v=spf1 include:_spf.mailprov.net ~all\""`] },
  { code: "escaped", record: policy, entered: [String.raw`_dmarc TXT "v=DMARC1\\; p=none"`] },
  { code: "wrong_host", record: policy, entered: ['@ TXT "v=DMARC1; p=none"'] },
  { code: "wrong_type", record: www, entered: ['www TXT "web.hostprov.net"'] },
  {
    code: "two_spf",
    record: senders,
    before: ['@ TXT "v=spf1 ip4:192.0.2.25 ~all"'],
    entered: ['@ TXT "v=spf1 ip4:192.0.2.25 ~all"', '@ TXT "v=spf1 include:_spf.mailprov.net ~all"']
  },
  {
    code: "two_dmarc",
    record: policy,
    entered: ['_dmarc TXT "v=DMARC1; p=none"', '_dmarc TXT "v=DMARC1; p=reject"']
  },
  {
    code: "truncated",
    record: { host: "shop._domainkey", type: "TXT", value: key },
    entered: [`shop._domainkey TXT "${key.slice(0, 200)}"`]
  },
  { code: "proxied", record: www, entered: ["www A 104.16.8.8"], nameServers: cloudflare },
  {
    code: "flattened",
    record: { host: "s1._domainkey", type: "CNAME", value: "web.hostprov.net" },
    entered: ["s1._domainkey A 198.51.100.80"],
    nameServers: cloudflare
  },
  { code: "parking", record: page, before: ["@ A 91.195.240.12"], entered: ["@ A 91.195.240.12"] },
  {
    code: "blocked_by_caa",
    record: { host: "@", type: "CAA", value: '0 issue "letsencrypt.org"' },
    before: ['@ CAA 0 issue "sectigo.com"'],
    entered: ['@ CAA 0 issue "sectigo.com"']
  },
  {
    code: "other_zone",
    record: www,
    entered: [],
    beside: (zone, { delegate, pdns }) =>
      Effect.all([
        delegate(zone, cloudflare),
        pdns.patch(zone, [
          {
            name: `${zone}.`,
            type: "NS",
            changetype: "REPLACE",
            ttl: 300,
            records: cloudflare.map((name) => ({ content: `${name}.` }))
          }
        ]),
        // The service reads a delegation again after two seconds.
        Effect.sleep("2100 millis")
      ])
  },
  {
    code: "only_some_servers",
    record: { ...www, host: "shop" },
    zone: "mixed.com",
    entered: [],
    beside: (zone, { pdns }) => pdns.update(zone, [[recordSet(`shop.${zone}`, "CNAME", "web.hostprov.net.")]])
  },
  {
    code: "on_its_way",
    record: page,
    before: [oldPage],
    entered: ["@ A 198.51.100.80"],
    isCached: true,
    beside: (zone, { resolver }) => sendQuery({ host: resolver, port: 53 }, zone, "A", { recursionDesired: true })
  }
]

/** The recorded document of a slip. */
export const slipDocumentName = (code: string): string => `slip-${code.replaceAll("_", "-")}`
