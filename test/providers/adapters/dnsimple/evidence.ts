import { type AdapterEvidence, eachTrap, forRows, testsOf, unproven } from "../AdapterEvidence.ts"
import { dnsimple } from "./dnsimple.ts"

const { adapter, contract, decoded, documentRows, lexicon, recordings, requests, trapRows, traps } = testsOf(
  "dnsimple/dnsimple",
  dnsimple
)

const integrated = "a write without integrated_zones also goes to integrated providers (Route 53 …)"
const own = "system_record and parent_id records are not modifiable"
const priority = "PATCH without priority keeps the old one; 0 must be sent"
const regions = "regions: a record may be served in some places only"
const tokens = "two account kinds of token"

const bothWays = lexicon("writes records that the adapter reads, and lists those that the adapter writes")
const served = "a zone is opened where it is served: not if it is switched off, or a copy"

/** What proves the adapter of DNSimple. */
export const dnsimpleEvidence: AdapterEvidence = {
  ...adapter,
  sources: {
    document: "DNSimple's OpenAPI document, with the pages and errors that only its overview has",
    recording:
      "Lexicon's tests once made 122 exchanges at DNSimple's sandbox, which wrote texts only; and DNSimple publishes answers for tests of clients",
    judge: "Debian's Lexicon, unaltered, drives the fake at DNSimple's own host, as it was before texts came in quotes",
    trap: "what DNSControl, octoDNS and DNSimple's own pages say"
  },
  rows: {
    document: { ...documentRows, rateLimit: contract("a limit says how long to wait") },
    recording: {
      ...unproven.byRecording,
      ...forRows(["creates", "replaces", "removes"], requests),
      findsZone: recordings("opens and reads a zone by the answers that DNSimple publishes for tests of clients"),
      ...forRows(["A", "CNAME", "TXT", "NS"], decoded),
      ...forRows(["AAAA", "MX", "SRV", "CAA", "wildcard"], "no such record was recorded")
    },
    judge: {
      ...forRows(["creates", "removes", "findsZone", "A", "AAAA", "CNAME", "MX", "TXT", "NS", "SRV"], bothWays),
      wildcard: bothWays,
      replaces: "Lexicon is asked for no replacement here",
      CAA: "Lexicon knows no CAA records",
      readsEveryPage: "Lexicon reads one page only",
      refuses: "Lexicon offers no record that the adapter refuses",
      errors: lexicon("reports a credential that is refused"),
      ...unproven.byJudge
    },
    trap: trapRows({
      findsZone: traps(tokens, served),
      readsEveryPage: traps("a guard before a write asks for the name, and at the apex for the whole zone"),
      ...forRows(["creates", "replaces", "CNAME"], traps(integrated)),
      ...forRows(["removes", "NS"], traps(own)),
      A: traps(regions),
      MX: traps(priority),
      TXT: traps("a text is written in quotes, and one from before November 2023 is read without them"),
      errors: traps("an account that refuses hides no zone of another one, and says why where there is none"),
      faults: contract("504 Could not query zone, connection timed out to a write is OutcomeUnknown")
    })
  },
  traps: eachTrap(traps, [integrated, own, priority, regions, tokens])
}
