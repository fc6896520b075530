import { testLexicon } from "../lexiconTests.ts"
import { validToken, vultr } from "./vultr.ts"

testLexicon({
  adapter: vultr,
  provider: "vultr",
  host: "api.vultr.com",
  environment: (isRefused) => ({ LEXICON_VULTR_AUTH_TOKEN: isRefused ? "wrong" : validToken }),
  refusedBy: 401,
  creates: ["www AAAA 2001:db8::1", "* A 192.0.2.7", "team NS ns1.example.net"],
  lists: {
    "* 900 AAAA 2001:db8::2": "2001:db8::2",
    "shop 900 CNAME shops.example.org": "shops.example.org",
    "crew 900 NS ns3.example.net": "ns3.example.net",
    "mail 900 MX 5 mail.example.net": "mail.example.net",
    "_sip._tcp 900 SRV 5 20 5060 sip.example.net": "20 5060 sip.example.net"
  }
})
