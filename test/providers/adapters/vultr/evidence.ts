import { type AdapterEvidence, eachTrap, forRows, testsOf, unproven } from "../AdapterEvidence.ts"
import { vultr } from "./vultr.ts"

const { adapter, contract, decoded, documentRows, lexicon, requests, trapRows, traps } = testsOf("vultr/vultr", vultr)

const quotes = "TXT without outer quotes is refused, and read always quoted"
const noBody = "PATCH answers 204 without a body"
const unicode = "targets may come back in Unicode"

const bothWays = lexicon("writes records that the adapter reads, and lists those that the adapter writes")
const everyPage = "12,000 records are read within 30 calls a second"

/** What proves the adapter of Vultr. */
export const vultrEvidence: AdapterEvidence = {
  ...adapter,
  sources: {
    document: "Vultr's OpenAPI document of 2024, whose errors have a form in its introduction only",
    recording: "Lexicon's tests once made 117 exchanges at Vultr; they write an address, an alias and texts",
    judge: "Debian's Lexicon, unaltered, drives the fake at Vultr's own host",
    trap: "what DNSControl met there; Vultr's refusal of a second TTL in a set, as users of its clients quoted it; nobody saw its words for records that conflict"
  },
  rows: {
    document: { ...documentRows, rateLimit: traps(everyPage) },
    recording: {
      ...unproven.byRecording,
      ...forRows(["creates", "replaces", "removes"], requests),
      ...forRows(["A", "CNAME", "MX", "TXT", "NS", "wildcard"], decoded),
      ...forRows(["AAAA", "SRV", "CAA"], "no such record was recorded"),
      findsZone: "Lexicon lists all domains, and the adapter asks for one by its name"
    },
    judge: {
      ...forRows(["creates", "removes", "findsZone", "A", "AAAA", "CNAME", "TXT", "NS", "SRV", "wildcard"], bothWays),
      replaces: "Lexicon is asked for no replacement here",
      MX: "Lexicon sends Vultr the priority 0; it lists the target of what the adapter writes",
      CAA: "Lexicon knows no CAA records",
      readsEveryPage: "the zone of Lexicon has one page",
      refuses: "Lexicon offers no record that the adapter refuses",
      errors: lexicon("reports a credential that is refused"),
      ...unproven.byJudge
    },
    trap: trapRows({
      findsZone: traps("a domain is asked for by its name"),
      readsEveryPage: traps("a list whose next page has no records is incomplete, and is read again once", everyPage),
      creates: traps("a record that is added has the TTL of those beside it, if there are any"),
      replaces: traps(noBody, "a record that is replaced has the TTL of those beside it, if there are any"),
      TXT: traps(quotes),
      ...forRows(["CNAME", "SRV"], traps(unicode)),
      MX: traps(unicode, "two mail servers that get other priorities and another TTL keep the TTL that they had"),
      NS: traps(unicode, "a name server that stands at the apex is fixed"),
      errors: contract(
        "401 Invalid API token. while opening is credential_invalid",
        "401 Unauthorized IP address: 203.0.113.9 while opening is authorization_insufficient_scope"
      ),
      faults: contract("500 Internal Server Error to a write is OutcomeUnknown")
    })
  },
  traps: eachTrap(traps, [quotes, noBody, unicode])
}
