import { testLexicon } from "../lexiconTests.ts"
import { porkbun, validKeys } from "./porkbun.ts"

// At the host that the API had before.
testLexicon({
  adapter: porkbun,
  provider: "porkbun",
  host: "porkbun.com",
  environment: (isRefused) => ({
    LEXICON_PORKBUN_AUTH_KEY: isRefused ? "pk1_wrong" : validKeys.apikey,
    LEXICON_PORKBUN_AUTH_SECRET: validKeys.secretapikey
  }),
  refusedBy: 400,
  creates: ["mail MX 10 mx.mailprov.net"],
  lists: { "* 900 AAAA 2001:db8::1": "2001:db8::1" }
})
