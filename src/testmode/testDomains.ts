import type { TestDomain, TestRecord } from "./TestDomain.ts"

const site: ReadonlyArray<TestRecord> = [
  ["@", "A", "203.0.113.10"],
  ["www", "CNAME", "ZONE."]
]

const mail: ReadonlyArray<TestRecord> = [
  ["@", "MX", "10 mail.ZONE."],
  ["mail", "A", "203.0.113.25"],
  ["@", "TXT", "v=spf1 mx -all"],
  ["_dmarc", "TXT", "v=DMARC1; p=none; rua=mailto:dmarc@ZONE"]
]

/** Every domain of test mode; `docs/test-mode.md` lists them in this order. */
export const testDomains: ReadonlyArray<TestDomain> = [
  {
    name: "one-click",
    summary:
      "Everything goes well: any API token or the test sign-in writes the records, and all servers show them at once.",
    provider: "test-dns",
    records: site
  },
  {
    name: "token-only",
    summary: "The same at a provider that takes an API token and offers no sign-in.",
    provider: "test-token-dns",
    records: site
  },
  {
    name: "domain-connect",
    summary:
      "The provider takes part in Domain Connect, and has every template of your application: its page applies them.",
    provider: "test-connect-dns",
    records: site
  },
  {
    name: "by-hand",
    summary: "The provider has no API: the customer enters the records, which they do when you call enter-records.",
    provider: "test-registrar",
    records: site
  },
  {
    name: "unknown-provider",
    summary: "Nobody knows the provider of these name servers: the records are entered by hand.",
    provider: "unknown",
    records: site
  },
  {
    name: "shared-servers",
    summary:
      "Three providers use these name servers, so that the customer is asked whose the domain is: it is at Test Token DNS.",
    provider: "test-token-dns",
    nameServers: ["ns1.test-shared-dns.test", "ns2.test-shared-dns.test"],
    records: site
  },
  {
    name: "two-providers",
    summary:
      "The name servers belong to two providers, so that only the customer can write: warning `multi_provider_ns`.",
    provider: "test-dns",
    nameServers: ["ns1.test-dns.test", "ns1.test-registrar.test"],
    records: site
  },
  {
    name: "mail",
    summary:
      "The domain receives and sends mail: SPF and DMARC are merged with the existing records, and MX is never lost.",
    provider: "test-dns",
    records: [...site, ...mail]
  },
  {
    name: "spf-full",
    summary:
      "The SPF record takes nine of the ten look-ups that receivers allow: a sender that needs two more is left out if it is optional, and else warned of by `spf_lookup_limit_exceeded`.",
    provider: "test-dns",
    records: [
      ...site,
      ["@", "TXT", `v=spf1 ${Array.from({ length: 9 }, (_, index) => `include:_spf${index + 1}.ZONE`).join(" ")} -all`],
      ...Array.from({ length: 9 }, (_, index): TestRecord => [
        `_spf${index + 1}`,
        "TXT",
        `v=spf1 ip4:203.0.113.${index + 100} -all`
      ])
    ]
  },
  {
    name: "caa",
    summary: "CAA records allow one certificate authority only; another one that you desire is added to them.",
    provider: "test-dns",
    records: [...site, ["@", "CAA", '0 issue "ca.example.net"']]
  },
  {
    name: "occupied",
    summary:
      "The domain has mail, and www, shop and app have a website each, shop with mail of its own: what is replaced must be acknowledged by name.",
    provider: "test-dns",
    records: [
      ...site,
      ...mail,
      ["shop", "A", "203.0.113.11"],
      ["shop", "MX", "10 mail.ZONE."],
      ["app", "A", "203.0.113.12"],
      ["app", "AAAA", "2001:db8::12"]
    ]
  },
  {
    name: "wildcard",
    summary: "A wildcard answers for every host of the domain.",
    provider: "test-dns",
    records: [...site, ["*", "A", "203.0.113.13"]]
  },
  {
    name: "signed",
    summary: "The zone is signed with DNSSEC: warning `dnssec_signed_zone`.",
    provider: "test-dns",
    records: site,
    isSigned: true
  },
  {
    name: "not-registered",
    summary: "The domain does not exist: failure `domain_not_registered`.",
    provider: "unknown",
    delegation: "not_registered"
  },
  {
    name: "no-nameservers",
    summary: "The domain is registered and delegated to nobody: failure `domain_has_no_nameservers`.",
    provider: "unknown",
    delegation: "no_name_servers"
  },
  {
    name: "lame",
    summary: "The name servers do not know the zone: failure `zone_not_found`.",
    provider: "test-dns",
    delegation: "lame"
  },
  {
    name: "silent",
    summary: "No name server answers: failure `discovery_timeout`.",
    provider: "test-dns",
    delegation: "silent"
  },
  {
    name: "provider-down",
    summary: "The API of the provider is down: failure `provider_unavailable`, after some retries.",
    provider: "test-dns",
    records: site,
    refusesToOpen: "provider_unavailable"
  },
  {
    name: "credential-refused",
    summary: "The provider accepts no credential: failure `credential_invalid`.",
    provider: "test-dns",
    records: site,
    refusesToOpen: "credential_invalid"
  },
  {
    name: "read-only",
    summary: "The credential may not change the zone: failure `authorization_insufficient_scope`.",
    provider: "test-dns",
    records: site,
    refusesToOpen: "authorization_insufficient_scope"
  },
  {
    name: "wrong-account",
    summary: "The account of the credential has no such zone: failure `authorization_zone_mismatch`.",
    provider: "test-dns",
    records: site,
    refusesToOpen: "authorization_zone_mismatch"
  },
  {
    name: "not-entitled",
    summary: "The customer's tariff includes no API: failure `account_not_entitled`.",
    provider: "test-dns",
    records: site,
    refusesToOpen: "account_not_entitled"
  },
  {
    name: "locked",
    summary: "The provider has locked the zone: failure `provider_zone_locked`.",
    provider: "test-dns",
    records: site,
    refusesToOpen: "provider_zone_locked"
  },
  {
    name: "sign-in-expires",
    summary: "The provider refuses the token of a sign-in at its first use; an API token works.",
    provider: "test-dns",
    records: site,
    forgetsSignIn: true
  },
  {
    name: "stale",
    summary:
      "Somebody changes the zone between approval and write: nothing is written, `replan` says `zone_changed`, and the approval of the next plan goes through.",
    provider: "test-dns",
    records: site,
    writes: ["changed_by_others"]
  },
  {
    name: "partial",
    summary:
      "The provider makes one change a call and rejects the second one: failure `apply_partial`. A retry writes what is missing.",
    provider: "test-dns",
    records: site,
    writesSingly: true,
    writes: ["written", "rejected"]
  },
  {
    name: "rejected",
    summary: "The provider rejects the first write: failure `apply_rejected`, after which a retry writes it.",
    provider: "test-dns",
    records: site,
    writes: ["rejected"]
  },
  {
    name: "rate-limited",
    summary: "The provider asks to wait before the first write: the service does, and goes on by itself.",
    provider: "test-dns",
    records: site,
    writes: ["rate_limited"]
  },
  {
    name: "unanswered",
    summary: "The first write is made, and its answer is lost: the service reads the zone first and repeats nothing.",
    provider: "test-dns",
    records: site,
    writes: ["unanswered"]
  },
  {
    name: "slow",
    summary:
      "The name servers show a write ten minutes later: the connection stays `verifying` until you move its time on.",
    provider: "test-dns",
    records: site,
    showsAfter: { seconds: 600, at: "all" }
  },
  {
    name: "servers-disagree",
    summary: "The second name server shows a write ten minutes later than the first.",
    provider: "test-dns",
    records: site,
    showsAfter: { seconds: 600, at: "second" }
  },
  {
    name: "degrades",
    summary:
      "Half an hour after a write another client restores the former records: an `active` connection becomes `degraded` once two checks have missed its records.",
    provider: "test-dns",
    records: site,
    losesAfterSeconds: 1_800
  }
]
