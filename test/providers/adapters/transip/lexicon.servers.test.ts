import { testLexicon } from "../lexiconTests.ts"
import { transip } from "./transip.ts"
import { validLogin, validPem } from "./transipTokens.ts"

// Lexicon signs its requests for tokens itself.
testLexicon({
  adapter: transip,
  provider: "transip",
  host: "api.transip.nl",
  environment: (isRefused) => ({
    LEXICON_TRANSIP_AUTH_USERNAME: isRefused ? "stranger" : validLogin,
    LEXICON_TRANSIP_AUTH_API_KEY: `base64::${btoa(validPem)}`,
    LEXICON_TRANSIP_AUTH_KEY_IS_GLOBAL: "true"
  }),
  refusedBy: 401,
  creates: ["* AAAA 2001:db8::1", "team NS ns1.example.net"],
  hasFinalDot: true,
  lists: {
    "mail 900 MX 10 mail.example.net": "10 mail.example.net.",
    "_sip._tcp 900 SRV 5 20 5060 sip.example.net": "5 20 5060 sip.example.net."
  }
})
