import { testLexicon } from "../lexiconTests.ts"
import { ovh, unlimitedKey, validKey } from "./ovh.ts"
import { application } from "./signedOvhCalls.ts"

// Lexicon signs its calls itself, and needs more rights than those for the records of one zone.
testLexicon({
  adapter: ovh,
  provider: "ovh",
  host: "eu.api.ovh.com",
  environment: (isRefused) => ({
    LEXICON_OVH_AUTH_ENTRYPOINT: "ovh-eu",
    LEXICON_OVH_AUTH_APPLICATION_KEY: application.key,
    LEXICON_OVH_AUTH_APPLICATION_SECRET: application.secret,
    LEXICON_OVH_AUTH_CONSUMER_KEY: isRefused ? validKey : unlimitedKey
  }),
  refusedBy: 403,
  creates: ["* A 192.0.2.7"],
  hasFinalDot: true,
  lists: { "say 900 TXT three four": '"three four"', "mail 900 MX 5 mail.example.net": "5 mail.example.net." }
})
