import { testLexicon } from "../lexiconTests.ts"
import { formerNamecomVendor, namecom, validLogin } from "./namecom.ts"

testLexicon({
  adapter: namecom,
  vendor: formerNamecomVendor,
  provider: "namecom",
  host: "api.name.com",
  environment: (isRefused) => ({
    LEXICON_NAMECOM_AUTH_USERNAME: validLogin.username,
    LEXICON_NAMECOM_AUTH_TOKEN: isRefused ? "wrong" : validLogin.token
  }),
  refusedBy: 401,
  creates: ["mail MX 10 mx.mailprov.net"],
  lists: { "* 900 AAAA 2001:db8::1": "2001:db8::1" }
})
