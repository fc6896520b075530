import { testLexicon } from "../lexiconTests.ts"
import { validToken, vercel } from "./vercel.ts"

testLexicon({
  adapter: vercel,
  provider: "vercel",
  host: "api.vercel.com",
  environment: (isRefused) => ({ LEXICON_VERCEL_AUTH_TOKEN: isRefused ? "wrong" : validToken }),
  refusedBy: 403,
  creates: ["* AAAA 2001:db8::1"],
  lists: { "mail 900 MX 10 mail.example.net": "mail.example.net." }
})
