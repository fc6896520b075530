import type { RoundTrip } from "./RoundTrip.ts"

/** Hosts and targets in any letter case and script, with underscores and asterisks. */
export const names = {
  UPPER: (): RoundTrip => ({
    about: "names in upper case, in the zone and in the intent",
    live: `
      WWW        CNAME  Web.HostProv.NET.
      API        CNAME  Web.HostProv.NET.
      @          MX     10 MX1.MailProv.NET.
      @          MX     20 MX2.MailProv.NET.
      _SIP._TCP  SRV    10 5 5060 SIP.MailProv.NET.
      Text       TXT    "Hello World"
      V6         AAAA   2001:DB8:0::ABCD
      @          CAA    0 ISSUE "letsencrypt.org"
      Shop       NS     NS1.OtherProv.NET.`,
    desired: [
      "www 300 CNAME WEB.hostprov.net.",
      "Api 300 CNAME SHOP.hostprov.net",
      "@ 300 MX 10 mx1.MAILPROV.net",
      "@ 300 MX 30 mx2.MAILPROV.net",
      "_sip._TCP 300 SRV 10 5 5060 sip.MAILPROV.net.",
      "TEXT 300 TXT Hello WORLD",
      "v6 300 AAAA 2001:DB8::abcd",
      '@ 300 CAA 0 ISSUE "letsencrypt.org"',
      "SHOP 300 NS ns1.OTHERPROV.net"
    ],
    changes: 3,
    served: [
      "www 300 CNAME web.hostprov.net",
      "api 300 CNAME shop.hostprov.net",
      "@ 300 MX 10 mx1.mailprov.net",
      "@ 300 MX 30 mx2.mailprov.net",
      "_sip._tcp 300 SRV 10 5 5060 sip.mailprov.net",
      "text 300 TXT Hello World",
      "text 300 TXT Hello WORLD",
      "v6 300 AAAA 2001:db8::abcd",
      '@ 300 CAA 0 issue "letsencrypt.org"',
      "shop 300 NS ns1.otherprov.net"
    ]
  }),

  Bücher: (): RoundTrip => ({
    about: "names in other scripts: domain, hosts and targets",
    live: `
      xn--lden-loa     A      192.0.2.1
      xn--lden-loa     TXT    "läden"
      www              CNAME  xn--mnchen-3ya.hostprov.net.`,
    desired: [
      "LÄDEN 300 A 203.0.113.1",
      "www 300 CNAME MÜNCHEN.hostprov.net",
      "漢字.läden 300 CNAME 漢字.hostprov.net",
      "@ 300 MX 10 bücher.mailprov.net",
      "@ 300 TXT Bücher",
      "_sip._tcp.läden 300 SRV 1 2 5060 bücher.mailprov.net",
      "straße 300 NS ns1.straße.net"
    ],
    changes: 6,
    served: [
      "xn--lden-loa 300 A 203.0.113.1",
      "xn--lden-loa 300 TXT läden",
      "www 300 CNAME xn--mnchen-3ya.hostprov.net",
      "xn--p8s937b.xn--lden-loa 300 CNAME xn--p8s937b.hostprov.net",
      "@ 300 MX 10 xn--bcher-kva.mailprov.net",
      "@ 300 TXT Bücher",
      "_sip._tcp.xn--lden-loa 300 SRV 1 2 5060 xn--bcher-kva.mailprov.net",
      "xn--strae-oqa 300 NS ns1.xn--strae-oqa.net"
    ]
  }),

  underscores: (): RoundTrip => ({
    about: "hosts with underscores",
    live: `
      _acme-challenge      60  TXT    "one"
      s1._domainkey            CNAME  s1.dkim.mailprov.net.
      _443._tcp.www            TXT    "not the host itself"`,
    desired: [
      "_acme-challenge 300 TXT two",
      "_acme-challenge.www 300 CNAME _acme_.hostprov.net",
      "a_b 300 TXT hello",
      "_443._tcp.www 300 SRV 1 2 443 web.hostprov.net",
      "k1._domainkey 300 CNAME k1.dkim.mailprov.net"
    ],
    changes: 5,
    served: [
      "_acme-challenge 60 TXT one",
      "_acme-challenge 60 TXT two",
      "_acme-challenge.www 300 CNAME _acme_.hostprov.net",
      "a_b 300 TXT hello",
      "_443._tcp.www 300 SRV 1 2 443 web.hostprov.net",
      "k1._domainkey 300 CNAME k1.dkim.mailprov.net"
    ]
  }),

  wild: (): RoundTrip => ({
    about: "a wildcard and explicit hosts that it does not cover",
    live: `
      *       A      192.0.2.7
      app     A      192.0.2.8
      *.deep  CNAME  web.hostprov.net.`,
    desired: besideWildcards,
    changes: 6,
    served: besideWildcards
  }),

  wildalias: (): RoundTrip => ({
    about: "an alias at a wildcard, with an explicit host beside it",
    live: `
      *       A      192.0.2.7
      *       TXT    "wild"
      app     A      192.0.2.8`,
    desired: ["* 300 CNAME web.hostprov.net", "app 300 A 192.0.2.8"],
    changes: 3,
    served: ["* 300 CNAME web.hostprov.net", "app 300 A 192.0.2.8"]
  }),

  tame: (): RoundTrip => ({
    about: "a desired host with the same records as its wildcard",
    live: "* A 192.0.2.7",
    desired: ["app 300 A 192.0.2.7"],
    changes: 1,
    served: ["* 300 A 192.0.2.7", "app 300 A 192.0.2.7"]
  }),

  tamed: (): RoundTrip => ({
    about: "a host that its wildcard does not cover because the name already exists",
    live: `
      *      A  192.0.2.7
      www    A  192.0.2.7
      a.app  A  192.0.2.8`,
    desired: ["www 300 A 203.0.113.7", "app 300 A 192.0.2.7"],
    changes: 2,
    served: ["* 300 A 192.0.2.7", "www 300 A 203.0.113.7", "app 300 A 192.0.2.7"]
  }),

  twins: (): RoundTrip => ({
    about: "hosts with the same records as their wildcard, and one with its own such wildcard",
    live: `
      *      A  192.0.2.7
      app    A  192.0.2.7
      *.app  A  192.0.2.7
      www    A  192.0.2.7`,
    desired: ["app 300 A 192.0.2.7", "www 300 TXT hello", "*.new 300 A 192.0.2.7"],
    changes: 2,
    served: ["* 300 A 192.0.2.7", "app 300 A 192.0.2.7", "www 300 TXT hello", "*.new 300 A 192.0.2.7"]
  }),

  loop: (): RoundTrip => ({
    about: "alias loops that desired records replace",
    live: `
      one    CNAME  two
      two    CNAME  one
      self   CNAME  self`,
    desired: ["one 300 A 192.0.2.1", "self 300 CNAME web.hostprov.net"],
    changes: 3,
    served: ["one 300 A 192.0.2.1", "self 300 CNAME web.hostprov.net"]
  })
}

const besideWildcards = [
  "* 300 A 203.0.113.7",
  "app 300 A 203.0.113.8",
  "text 300 TXT hello",
  "*.deep 300 CNAME shop.hostprov.net",
  "one.deep 300 A 192.0.2.9",
  "*.new 300 MX 10 mx1.mailprov.net"
]
