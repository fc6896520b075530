import { testLexicon } from "../lexiconTests.ts"
import { gandi, validToken } from "./gandi.ts"

testLexicon({
  adapter: gandi,
  provider: "gandi",
  host: "api.gandi.net",
  environment: (isRefused) => ({
    LEXICON_GANDI_AUTH_TOKEN: isRefused ? "wrong" : validToken,
    LEXICON_GANDI_API_PROTOCOL: "rest"
  }),
  refusedBy: 401,
  creates: ["www AAAA 2001:db8::1", "* A 192.0.2.7"],
  hasFinalDot: true,
  lists: { "mail 900 MX 5 mail.example.net": "5 mail.example.net." }
})
