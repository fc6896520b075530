import { type AdapterEvidence, eachTrap, forRows, testsOf, unproven } from "../AdapterEvidence.ts"
import { vercel } from "./vercel.ts"

const { adapter, contract, decoded, documentRows, lexicon, recordings, requests, trapRows, traps } = testsOf(
  "vercel/vercel",
  vercel
)

const system = "records with creator system cannot be changed; an own record overrides them"
const patch = "type cannot be changed by PATCH"
const millisecond = "paging by timestamp can skip records of one millisecond"
const badToken = "403 is also a bad token"

const bothWays = lexicon("writes records that the adapter reads, and lists those that the adapter writes")
const priority = traps("a priority stands beside an MX and in the parts of an SRV, and texts stay as they are")
const team = traps("a zone of a team is found among the teams, and each call says which team it is")

/** What proves the adapter of Vercel. */
export const vercelEvidence: AdapterEvidence = {
  ...adapter,
  sources: {
    document: "Vercel's OpenAPI document, which lacks its teams, its errors, and the names of some new records",
    recording: "Lexicon's tests once made 121 exchanges at Vercel, and the fake gives the same answers",
    judge: "Debian's Lexicon, unaltered, drives the fake at Vercel's own host",
    trap: "what DNSControl met there; whether Vercel says where its last page ends is not known"
  },
  rows: {
    document: {
      ...documentRows,
      readsEveryPage: traps(millisecond),
      rateLimit: contract("a limit says how long to wait")
    },
    recording: {
      ...unproven.byRecording,
      ...forRows(["creates", "removes"], requests),
      ...forRows(["A", "CNAME", "TXT", "CAA", "wildcard"], decoded),
      ...forRows(["AAAA", "MX", "NS", "SRV"], "no such record was recorded"),
      findsZone: recordings("is repeated by the fake: authenticate_with_unmanaged_domain_should_fail"),
      readsEveryPage: "its lists have one page",
      replaces: "it replaces by a creation and a removal",
      errors: recordings("is repeated by the fake: authenticate_with_unmanaged_domain_should_fail")
    },
    judge: {
      ...forRows(["creates", "removes", "findsZone", "A", "AAAA", "CNAME", "MX", "TXT", "wildcard"], bothWays),
      ...forRows(["NS", "SRV", "CAA"], "Lexicon writes these as it is told, or not at all"),
      readsEveryPage: "Lexicon reads one page only",
      replaces: "Lexicon replaces by a creation and a removal, which the adapter does not",
      refuses: "Lexicon offers no record that the adapter refuses",
      errors: lexicon("reports a credential that is refused"),
      ...unproven.byJudge
    },
    trap: trapRows({
      findsZone: [...team, ...traps("a domain that Vercel does not serve is not opened")],
      readsEveryPage: traps(millisecond),
      ...forRows(["creates", "A"], traps(system)),
      ...forRows(["replaces", "CNAME"], traps(patch)),
      removes: team,
      ...forRows(["MX", "SRV", "TXT"], priority),
      CAA: [...traps(system), ...priority],
      errors: [...traps(badToken), ...contract("402 A payment is missing while opening is account_not_entitled")],
      faults: contract("500 An unexpected error to a write is OutcomeUnknown")
    })
  },
  traps: eachTrap(traps, [system, patch, millisecond, badToken])
}
