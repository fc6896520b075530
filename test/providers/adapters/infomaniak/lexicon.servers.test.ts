import { testLexicon } from "../lexiconTests.ts"
import { formerInfomaniakVendor, infomaniak, validToken } from "./infomaniak.ts"

testLexicon({
  adapter: infomaniak,
  vendor: formerInfomaniakVendor,
  provider: "infomaniak",
  host: "api.infomaniak.com",
  environment: (isRefused) => ({ LEXICON_INFOMANIAK_AUTH_TOKEN: isRefused ? "wrong" : validToken }),
  refusedBy: 401,
  creates: ["www AAAA 2001:db8::1", "* A 192.0.2.7", "team NS ns1.example.net"],
  lists: { "* 900 AAAA 2001:db8::2": "2001:db8::2", "mail 900 MX 5 mail.example.net": "mail.example.net" }
})
