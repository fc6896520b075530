import { testLexicon } from "../lexiconTests.ts"
import { dnsimple, formerDnsimpleVendor, validToken } from "./dnsimple.ts"

testLexicon({
  adapter: dnsimple,
  vendor: formerDnsimpleVendor,
  provider: "dnsimple",
  host: "api.dnsimple.com",
  environment: (isRefused) => ({ LEXICON_DNSIMPLE_AUTH_TOKEN: isRefused ? "wrong" : validToken }),
  refusedBy: 401,
  creates: ["* AAAA 2001:db8::1", "team NS ns1.example.net"],
  hasFinalDot: true,
  lists: {
    "mail 900 MX 10 mail.example.net": "mail.example.net",
    "_sip._tcp 900 SRV 5 20 5060 sip.example.net": "20 5060 sip.example.net"
  }
})
