import type { RoundTripLocation, RoundTrip } from "./RoundTrip.ts"

/** RRsets of every type that are created, changed, shrunk and replaced. */
export const sets = {
  "@": ({ nameServer }: RoundTripLocation): RoundTrip => ({
    about: "a site and mail at the apex of an existing zone",
    desired: [
      "@ 600 A 192.0.2.21",
      "www 300 CNAME web.hostprov.net",
      "@ 60 MX 10 mx1.mailprov.net",
      "@ 60 MX 20 mx2.mailprov.net",
      "@ 300 TXT v=spf1 include:_spf.mailprov.net -all"
    ],
    changes: 5,
    served: [
      `@ 300 NS ${nameServer}`,
      "@ 600 A 192.0.2.21",
      "www 300 CNAME web.hostprov.net",
      "@ 300 MX 10 mx1.mailprov.net",
      "@ 300 MX 20 mx2.mailprov.net",
      "@ 300 TXT v=spf1 include:_spf.mailprov.net -all"
    ]
  }),

  new: (): RoundTrip => ({
    about: "a record of every type in an empty domain",
    desired: everyType,
    policy: { validateCAA: false },
    changes: everyType.length,
    served: everyType
  }),

  old: (): RoundTrip => ({
    about: "the same records where they already exist",
    live: `
      @               A      192.0.2.1
      @               A      192.0.2.2
      @               AAAA   2001:0DB8:0:0:0:0:0:1
      www             CNAME  Web.HostProv.NET.
      @               MX     10 mx1.mailprov.net.
      @               MX     20 mx2.mailprov.net.
      nomail          MX     0 .
      @               TXT    "hel" "lo"
      _sip._tcp       SRV    10 5 5060 sip.mailprov.net.
      _none._tcp      SRV    0 0 0 .
      @               CAA    0 issue "letsencrypt.org"
      shop            NS     ns1.otherprov.net.
      shop            NS     ns2.otherprov.net.`,
    desired: everyType,
    policy: { validateCAA: false },
    changes: 0,
    served: everyType
  }),

  changed: (): RoundTrip => ({
    about: "RRsets that lose, gain and exchange members",
    live: `
      one        60    A     192.0.2.1
      both       60    A     192.0.2.1
      both       60    AAAA  2001:db8::1
      some       600   A     192.0.2.1
      some       600   A     192.0.2.2
      @          1800  MX    4 mx1.mailprov.net.
      @          1800  MX    10 mx2.mailprov.net.
      prio       1800  MX    4 mx1.mailprov.net.
      none       1800  MX    4 mx1.mailprov.net.
      _sip._tcp  60    SRV   10 5 5060 sip1.mailprov.net.
      _sip._tcp  60    SRV   20 5 5060 sip2.mailprov.net.
      shop       60    NS    ns1.otherprov.net.
      shop       60    NS    ns2.otherprov.net.
      shop       60    DS    4711 13 2 ${"AB".repeat(32)}`,
    desired: [
      "one 300 A 203.0.113.1",
      "both 300 A 203.0.113.1",
      "some 300 A 192.0.2.2",
      "some 900 A 203.0.113.2",
      "@ 300 MX 5 mx3.mailprov.net",
      "prio 300 MX 20 mx1.mailprov.net",
      "none 300 MX 0 .",
      "_sip._tcp 300 SRV 10 5 5060 sip1.mailprov.net",
      "_sip._tcp 300 SRV 30 9 5061 sip3.mailprov.net",
      "shop 300 NS ns2.otherprov.net",
      "shop 300 NS ns3.otherprov.net"
    ],
    changes: 12,
    served: [
      "one 300 A 203.0.113.1",
      "both 300 A 203.0.113.1",
      "some 600 A 192.0.2.2",
      "some 600 A 203.0.113.2",
      "@ 300 MX 5 mx3.mailprov.net",
      "prio 300 MX 20 mx1.mailprov.net",
      "none 300 MX 0 .",
      "_sip._tcp 60 SRV 10 5 5060 sip1.mailprov.net",
      "_sip._tcp 60 SRV 30 9 5061 sip3.mailprov.net",
      "shop 60 NS ns2.otherprov.net",
      "shop 60 NS ns3.otherprov.net"
    ]
  }),

  aliases: (): RoundTrip => ({
    about: "aliases that replace other records, and are replaced",
    live: `
      bar         A      192.0.2.1
      bar         A      192.0.2.2
      bar         AAAA   2001:db8::1
      bar         MX     10 mx1.mailprov.net.
      bar         TXT    "one" "two"
      bar         TXT    "C:\\\\\\"three\\""
      bar         CAA    0 ISSUE "LetsEncrypt.org"
      bar         SRV    10 5 5060 sip.mailprov.net.
      bar         HINFO  "PC" "Linux"
      bar         RP     admin.hostprov.net. .
      bar         AFSDB  1 afs.hostprov.net.
      bar         KX     10 kx.hostprov.net.
      bar         CERT   1 0 0 AQID
      bar         SPF    "v=spf1 -all"
      bar         SMIMEA 3 1 1 ${"AB".repeat(32)}
      bar         EUI48  00-00-5e-00-53-2a
      bar         EUI64  00-00-5e-ef-10-00-00-2a
      bar         DHCID  AAIBY2/AuCccgoJbsaxcQc9TUapptP69lOjxfNuVAA2kjEA=
      bar         IPSECKEY    10 1 2 192.0.2.38 AQNRU3mG7TVTO2BkR47usntb102uFJtugbo6BSGvgqt4AQ==
      bar         OPENPGPKEY  AQID
      foo         CNAME  Web.HostProv.NET.
      site        CNAME  web.hostprov.net.
      six   60    CNAME  web.hostprov.net.
      mail        CNAME  web.hostprov.net.`,
    desired: exchanged,
    changes: 29,
    served: exchanged
  }),

  glue: ({ domain }: RoundTripLocation): RoundTrip => ({
    about: "a delegation to name servers below it or at its own host, with glue",
    live: `
      shop      A    192.0.2.1
      shop      TXT  "hello"
      www.shop  A    192.0.2.2
      self      A    192.0.2.9
      self      TXT  "hello"`,
    desired: delegations(domain),
    changes: 9,
    served: delegations(domain)
  }),

  extreme: (): RoundTrip => ({
    about: "numbers, names and RRsets at their limits",
    live: `
      set  A  192.0.2.1
      set  A  192.0.2.201`,
    desired: extremes,
    changes: extremes.length,
    served: extremes
  }),

  bindings: (): RoundTrip => ({
    about: "addresses beside service bindings, which stay if they only follow the addresses",
    live: `
      follows  A      192.0.2.1
      follows  HTTPS  1 . alpn=h2
      hints    A      192.0.2.1
      hints    HTTPS  1 . alpn=h2 ipv4hint=192.0.2.1`,
    desired: ["follows 300 A 203.0.113.1", "hints 300 A 203.0.113.1"],
    changes: 3,
    served: ["follows 300 A 203.0.113.1", "follows 300 HTTPS 1 . alpn=h2", "hints 300 A 203.0.113.1"]
  })
}

const everyType = [
  "@ 300 A 192.0.2.1",
  "@ 300 A 192.0.2.2",
  "@ 300 AAAA 2001:db8::1",
  "www 300 CNAME web.hostprov.net",
  "@ 300 MX 10 mx1.mailprov.net",
  "@ 300 MX 20 mx2.mailprov.net",
  "nomail 300 MX 0 .",
  "@ 300 TXT hello",
  "_sip._tcp 300 SRV 10 5 5060 sip.mailprov.net",
  "_none._tcp 300 SRV 0 0 0 .",
  '@ 300 CAA 0 issue "letsencrypt.org"',
  "shop 300 NS ns1.otherprov.net",
  "shop 300 NS ns2.otherprov.net"
]

const exchanged = [
  "bar 300 CNAME web.hostprov.net",
  "foo 300 TXT hello",
  "site 300 A 192.0.2.1",
  "site 300 AAAA 2001:db8::1",
  "six 300 CNAME shop.hostprov.net",
  "mail 300 MX 10 mx1.mailprov.net"
]

const delegations = (domain: string): ReadonlyArray<string> => [
  `shop 300 NS ns1.shop.${domain}`,
  `shop 300 NS ns2.shop.${domain}`,
  "ns1.shop 300 A 192.0.2.53",
  "ns2.shop 300 A 192.0.2.54",
  "ns2.shop 300 AAAA 2001:db8::54",
  `self 300 NS self.${domain}`,
  "self 300 A 192.0.2.9"
]

const longestLabel = "x".repeat(63)

const extremes = [
  "zero 0 A 192.0.2.1",
  `max ${2 ** 31 - 1} A 192.0.2.1`,
  "v6 300 AAAA ::",
  "v6 300 AAAA ::1",
  "v6 300 AAAA ::ffff:c000:201",
  "v6 300 AAAA 2001:db8:1:2:3:4:5:6",
  "mail 300 MX 0 mx1.mailprov.net",
  `mail 300 MX 65535 ${longestLabel}.mailprov.net`,
  "_s._tcp 300 SRV 0 65535 65535 sip.mailprov.net",
  "_s._tcp 300 SRV 65535 0 0 sip.mailprov.net",
  `${longestLabel}.${longestLabel} 300 CNAME ${longestLabel}.${longestLabel}.hostprov.net`,
  ...Array.from({ length: 60 }, (_, index) => `set 300 A 192.0.2.${index + 1}`)
]
