import { english, german, type ZoneEditorWords } from "./zoneEditorWords.ts"

/** A field of the form for a record. `domain` is a choice among the zone and its subdomains in place of a host. */
export type EditorField =
  | "type"
  | "host"
  | "domain"
  | "service"
  | "protocol"
  | "value"
  | "priority"
  | "weight"
  | "port"
  | "ttl"
  | "seconds"

/** The form for a type of records: its name on the page, the type in DNS, and its fields in their order. */
export interface EditorForm {
  readonly name: string
  readonly type: string
  readonly fields: ReadonlyArray<readonly [field: EditorField, label: string]>
}

/** How the page of a provider differs from those of others. */
export interface ZoneEditorQuirks {
  readonly id: string
  readonly name: string
  readonly nameServers: readonly [string, string]
  /** What the provider has in the domain of its name servers. */
  readonly besideNameServers?: ReadonlyArray<string>
  /** The domain of the provider's own pages, to which links from elsewhere lead. */
  readonly site: string
  /** The menu entries that lead to the records; `{zone}` stands for the domain. */
  readonly path: ReadonlyArray<string>
  readonly forms: ReadonlyArray<EditorForm>
  /** Whether the type is chosen in a list of the form, or on a page before it. */
  readonly typeChoice: "list" | "tiles"
  /** What stands for the zone itself in the field of the host. The zone is appended to all else. */
  readonly apex: "@" | "empty" | "either"
  /** What happens to a target that does not end with a dot. */
  readonly targetWithoutDot: "accepted" | "zone_appended" | "refused"
  readonly quotes: "kept" | "removed" | "refused"
  /** The choices of the TTL, in seconds; the first one is chosen at the beginning. */
  readonly ttls: Readonly<Record<string, number>>
  /** What a CNAME at the zone itself leads to: `accepted` switches off its other records. */
  readonly apexCname: "refused" | "accepted"
  /** What a CNAME does to other records at its host: `replace` after a check box. */
  readonly cnameBesideOthers: "refused" | "replaces"
  /** What has to be done after the form before a change is saved. */
  readonly confirmation: "none" | "summary" | "second_factor"
  readonly needsSubdomain: boolean
  /** Whether changes stay a draft until all of them are saved. */
  readonly hasDraft: boolean
  /** The settings of mail, each with the records that it serves; the last one serves the MX of the customer. */
  readonly mailSettings: Readonly<Record<string, ReadonlyArray<string>>>
  /** How long saved changes take until the name servers answer with them, in seconds. */
  readonly delaySeconds: number
  /** The records at the beginning: `host ttl type value`, as the page shows them. */
  readonly initialRecords: ReadonlyArray<string>
  readonly words: ZoneEditorWords
}

const plain: Omit<ZoneEditorQuirks, "id" | "name" | "nameServers" | "site" | "path" | "forms" | "initialRecords"> = {
  typeChoice: "tiles",
  apex: "@",
  targetWithoutDot: "accepted",
  quotes: "removed",
  ttls: { "1 hour": 3_600, "5 minutes": 300, "1 day": 86_400 },
  apexCname: "refused",
  cnameBesideOthers: "refused",
  confirmation: "none",
  needsSubdomain: false,
  hasDraft: false,
  mailSettings: {},
  delaySeconds: 0,
  words: english
}

const godaddyHost = [
  ["type", "Type"],
  ["host", "Host"]
] as const

/** `txt` is kept as it was typed: the API of GoDaddy has plain texts. */
const godaddy: ZoneEditorQuirks = {
  ...plain,
  id: "godaddy",
  name: "GoDaddy",
  nameServers: ["ns01.domaincontrol.com", "ns02.domaincontrol.com"],
  site: "godaddy.com",
  path: ["Domains", "DNS"],
  typeChoice: "list",
  forms: [
    ...["A", "AAAA", "CNAME"].map((type) => ({
      name: type,
      type,
      fields: [...godaddyHost, ["value", "Points to"], ["ttl", "TTL"]] as const
    })),
    { name: "TXT", type: "TXT", fields: [...godaddyHost, ["value", "TXT Value"], ["ttl", "TTL"]] },
    {
      name: "MX",
      type: "MX",
      fields: [...godaddyHost, ["value", "Points to"], ["priority", "Priority"], ["ttl", "TTL"]]
    },
    {
      name: "SRV",
      type: "SRV",
      fields: [
        ["type", "Type"],
        ["service", "Service"],
        ["protocol", "Protocol"],
        ["host", "Name"],
        ["value", "Target"],
        ["priority", "Priority"],
        ["weight", "Weight"],
        ["port", "Port"],
        ["ttl", "TTL"]
      ]
    },
    { name: "CAA", type: "CAA", fields: [...godaddyHost, ["value", "Value"], ["ttl", "TTL"]] }
  ],
  quotes: "kept",
  ttls: { "1 Hour": 3_600, "10 Minutes": 600, "1/2 Hour": 1_800, "1 Day": 86_400 },
  confirmation: "second_factor",
  delaySeconds: 15,
  initialRecords: ["@ 600 A 3.33.130.190", "@ 600 A 15.197.148.33", "www 3600 CNAME @"],
  words: {
    ...english,
    add: "Add",
    errors: {
      ...english.errors,
      apexCname: "A CNAME record needs a sub-host: @ is not allowed.",
      conflict: "Record name {host} conflicts with another record."
    }
  }
}

const ionosFields = (label: string) =>
  [
    ["host", "Host name"],
    ["value", label]
  ] as const

const ionos: ZoneEditorQuirks = {
  ...plain,
  id: "ionos",
  name: "IONOS",
  nameServers: ["ns1045.ui-dns.com", "ns1114.ui-dns.de"],
  site: "ionos.com",
  path: ["Menu", "Domains and SSL", "⚙ {zone}", "DNS"],
  forms: [
    ...["A", "AAAA"].map((type) => ({
      name: type,
      type,
      fields: [...ionosFields("Points to"), ["ttl", "TTL"]] as const
    })),
    { name: "CNAME", type: "CNAME", fields: [...ionosFields("Alias"), ["ttl", "TTL"]] },
    { name: "MX", type: "MX", fields: [...ionosFields("Points to"), ["priority", "Priority"], ["ttl", "TTL"]] },
    { name: "TXT", type: "TXT", fields: [...ionosFields("Value"), ["ttl", "TTL"]] }
  ],
  apex: "either",
  cnameBesideOthers: "replaces",
  needsSubdomain: true,
  delaySeconds: 20,
  initialRecords: [
    "@ 3600 A 217.160.0.123",
    "@ 3600 MX 10 mx00.ionos.com",
    "@ 3600 MX 10 mx01.ionos.com",
    '@ 3600 TXT "v=spf1 include:_spf-us.ionos.com ~all"'
  ]
}

const ovhFields = (label: string) =>
  [
    ["host", "Sub-domain"],
    ["ttl", "TTL"],
    ["seconds", "Seconds"],
    ["value", label]
  ] as const

const ovh: ZoneEditorQuirks = {
  ...plain,
  id: "ovh",
  name: "OVHcloud",
  nameServers: ["dns10.ovh.net", "ns10.ovh.net"],
  site: "ovh.com",
  path: ["Web Cloud", "Domain names", "{zone}", "DNS zone"],
  forms: [
    ...["A", "AAAA", "CNAME", "CAA"].map((type) => ({ name: type, type, fields: ovhFields("Target") })),
    ...["TXT", "SPF", "DKIM", "DMARC"].map((name) => ({ name, type: "TXT", fields: ovhFields("Value") })),
    { name: "MX", type: "MX", fields: [...ovhFields("Target"), ["priority", "Priority"]] },
    {
      name: "SRV",
      type: "SRV",
      fields: [
        ["host", "Sub-domain"],
        ["ttl", "TTL"],
        ["seconds", "Seconds"],
        ["priority", "Priority"],
        ["weight", "Weight"],
        ["port", "Port"],
        ["value", "Target"]
      ]
    }
  ],
  apex: "empty",
  targetWithoutDot: "zone_appended",
  ttls: { Default: 3_600, Personalized: 0 },
  confirmation: "summary",
  delaySeconds: 60,
  initialRecords: [
    "@ 3600 A 213.186.33.5",
    "@ 3600 MX 1 mx0.mail.ovh.net.",
    "@ 3600 MX 5 mx1.mail.ovh.net.",
    '@ 3600 TXT "v=spf1 include:mx.ovh.com ~all"',
    "www 3600 A 213.186.33.5",
    "ftp 3600 CNAME cluster010.hosting.ovh.net."
  ],
  words: {
    ...english,
    records: "DNS zone",
    add: "Add an entry",
    chooseType: "Select a DNS record type",
    host: "Domain",
    value: "Target",
    save: "Next",
    saved: "The change has been requested. It can take up to 24 hours until it is active.",
    errors: {
      ...english.errors,
      host: "The sub-domain is not valid.",
      apexCname: "The CNAME record is not possible for a domain without a sub-domain.",
      conflict: "The sub-domain {host} has records already: a CNAME record has to be alone."
    }
  }
}

const strato: ZoneEditorQuirks = {
  ...plain,
  id: "strato",
  name: "STRATO",
  nameServers: ["docks01.strato-rz.de", "shades11.strato-rz.de"],
  site: "strato.de",
  path: ["Domains", "Domainverwaltung", "{zone} verwalten", "DNS"],
  forms: [
    ...["TXT-Record", "SPF-Record"].map((name) => ({
      name,
      type: "TXT",
      fields: [
        ["host", "Präfix"],
        ["value", "Wert"]
      ] as const
    })),
    {
      name: "CNAME-Record",
      type: "CNAME",
      fields: [
        ["domain", "Subdomain"],
        ["value", "CNAME"]
      ]
    },
    {
      name: "A-Record",
      type: "A",
      fields: [
        ["domain", "Domain"],
        ["value", "IP-Adresse"]
      ]
    },
    {
      name: "MX-Record",
      type: "MX",
      fields: [
        ["domain", "Domain"],
        ["value", "Mailserver"],
        ["priority", "Priorität"]
      ]
    }
  ],
  apex: "empty",
  targetWithoutDot: "refused",
  quotes: "kept",
  ttls: { "": 150 },
  cnameBesideOthers: "replaces",
  needsSubdomain: true,
  delaySeconds: 20,
  initialRecords: ["@ 150 A 81.169.145.160", "* 150 A 81.169.145.160", "@ 150 MX 5 smtpin.rzone.de."],
  words: german
}

const namecheapFields = [
  ["type", "Type"],
  ["host", "Host"],
  ["value", "Value"]
] as const

const namecheap: ZoneEditorQuirks = {
  ...plain,
  id: "namecheap",
  name: "Namecheap",
  nameServers: ["dns1.registrar-servers.com", "dns2.registrar-servers.com"],
  besideNameServers: ['spf.efwd TXT "v=spf1 ip4:203.0.113.0/24 -all"'],
  site: "namecheap.com",
  path: ["Domain List", "Manage", "Advanced DNS"],
  typeChoice: "list",
  forms: [
    ...["A", "AAAA", "CNAME", "TXT", "CAA"].map((type) => ({
      name: `${type} Record`,
      type,
      fields: [...namecheapFields, ["ttl", "TTL"]] as const
    })),
    {
      name: "SRV Record",
      type: "SRV",
      fields: [
        ["type", "Type"],
        ["service", "Service"],
        ["protocol", "Protocol"],
        ["priority", "Priority"],
        ["weight", "Weight"],
        ["port", "Port"],
        ["value", "Target"],
        ["ttl", "TTL"]
      ]
    },
    { name: "MX Record", type: "MX", fields: [...namecheapFields, ["priority", ""], ["ttl", "TTL"]] }
  ],
  quotes: "refused",
  ttls: { Automatic: 1_799, "1 min": 60, "5 min": 300, "30 min": 1_800, "60 min": 3_600 },
  apexCname: "accepted",
  hasDraft: true,
  mailSettings: {
    "Email Forwarding": [
      "@ 1800 MX 10 eforward1.registrar-servers.com",
      "@ 1800 MX 15 eforward4.registrar-servers.com"
    ],
    "No Email Service": [],
    "Custom MX": []
  },
  delaySeconds: 30,
  initialRecords: [
    "@ 1800 A 162.255.119.10",
    "www 1800 CNAME parkingpage.namecheap.com.",
    '@ 1800 TXT "v=spf1 include:spf.efwd.registrar-servers.com ~all"'
  ],
  words: {
    ...english,
    records: "Host Records",
    add: "Add New Record",
    host: "Host",
    value: "Value",
    save: "✓ Save changes",
    saveAll: "Save All Changes",
    errors: {
      ...english.errors,
      host: "Host is not valid.",
      conflict: "Host {host} already has a record that cannot be beside a CNAME Record."
    }
  }
}

/** The zone editors of the lab, by the provider whose page each resembles. */
export const zoneEditorQuirks = { godaddy, ionos, ovh, strato, namecheap } as const
