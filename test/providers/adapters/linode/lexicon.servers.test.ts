import { testLexicon } from "../lexiconTests.ts"
import { linode, validToken } from "./linode.ts"

testLexicon({
  adapter: linode,
  provider: "linode4",
  host: "api.linode.com",
  environment: (isRefused) => ({ LEXICON_LINODE4_AUTH_TOKEN: isRefused ? "wrong" : validToken }),
  refusedBy: 401,
  // Lexicon leaves the TTL to the zone, and the adapter writes the next one that Linode has.
  ttls: { created: 86_400, listed: 3600 },
  creates: ["www AAAA 2001:db8::1", "* A 192.0.2.7", "team NS ns1.example.net"],
  lists: {
    "* 900 AAAA 2001:db8::2": "2001:db8::2",
    "shop 900 CNAME shops.example.org": "shops.example.org",
    "crew 900 NS ns3.example.net": "ns3.example.net",
    "mail 900 MX 5 mail.example.net": "mail.example.net"
  }
})
