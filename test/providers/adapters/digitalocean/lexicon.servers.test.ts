import { expect } from "bun:test"
import { Effect } from "effect"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import { vendorHostsUnavailableReason } from "../../../support/vendors/VendorHosts.ts"
import { hostLines } from "../DescribedAdapter.ts"
import { type LexiconJudge, makeLexicon, testLexicon } from "../lexiconTests.ts"
import { digitalOcean, type DigitalOceanData, validToken } from "./digitalOcean.ts"

const judge: LexiconJudge<DigitalOceanData> = {
  adapter: digitalOcean,
  provider: "digitalocean",
  host: "api.digitalocean.com",
  environment: (isRefused) => ({ LEXICON_DIGITALOCEAN_AUTH_TOKEN: isRefused ? "wrong" : validToken }),
  refusedBy: 401,
  creates: ["www AAAA 2001:db8::1", "* A 192.0.2.7", "team NS ns1.example.net"],
  hasFinalDot: true,
  lists: {
    "www 900 AAAA 2001:db8::2": "2001:db8::2",
    "shop 900 CNAME shops.example.org": "shops.example.org",
    "crew 900 NS ns3.example.net": "ns3.example.net",
    "mail 900 MX 5 mail.example.net": "mail.example.net",
    "_sip._tcp 900 SRV 10 20 5060 sip.example.net": "sip.example.net"
  }
}

testLexicon(judge)

describeIfPossible("Lexicon", missingVendorData ?? vendorHostsUnavailableReason("lexicon"), () => {
  live("reads all pages of a zone", () =>
    Effect.gen(function* () {
      const { lexicon } = yield* makeLexicon(judge, false, hostLines(45))
      expect(JSON.parse((yield* lexicon("list", "A")).stdout)).toHaveLength(45)
    })
  )
})
