import { type AdapterEvidence, forRows, testsOf, unproven } from "../AdapterEvidence.ts"
import { namecom } from "./namecom.ts"

const { adapter, contract, decoded, documentRows, lexicon, recordings, requests, trapRows, traps } = testsOf(
  "namecom/namecom",
  namecom
)

const caa = "CAA cannot be written"
const duplicate = "duplicate is 400, not 409"
const slow = "answers are slow"
const page = "an HTML answer"

const everyPage = traps("a zone of more than 1,000 records is read to its end, and its own name servers are fixed")
const replaced = traps("a record is replaced in its place, and an alias at the apex is an ANAME")
const bothWays = lexicon("writes records that the adapter reads, and lists those that the adapter writes")
const noCaa = "Name.com stores no CAA"

/** What proves the adapter of Name.com. */
export const namecomEvidence: AdapterEvidence = {
  ...adapter,
  sources: {
    document: "Name.com's OpenAPI document, which leaves out the refusals of some operations",
    recording: "Lexicon's tests once made 115 exchanges with the version before, whose records are the same",
    judge: "Debian's Lexicon, unaltered, drives the fake of the version before, at Name.com's own host",
    trap: "what DNSControl met there; how an account with two-step sign-in refuses its API is not known"
  },
  rows: {
    document: {
      ...documentRows,
      CAA: noCaa,
      readsEveryPage: everyPage,
      rateLimit: contract("a limit says how long to wait")
    },
    recording: {
      ...unproven.byRecording,
      ...forRows(["creates", "replaces", "removes"], requests),
      ...forRows(["A", "CNAME", "MX", "TXT"], decoded),
      ...forRows(["AAAA", "NS", "SRV", "wildcard"], "no such record was recorded"),
      CAA: noCaa,
      findsZone: "it finds the zone in a list of all domains, the adapter by its name",
      readsEveryPage: "its lists have one page",
      refuses: "only a duplicate was refused while it was made",
      errors: recordings("is repeated by the fake: create_record_with_duplicate_records_should_be_noop")
    },
    judge: {
      ...forRows(["creates", "replaces", "removes", "A", "AAAA", "CNAME", "MX", "TXT", "wildcard"], bothWays),
      ...forRows(["NS", "SRV"], "Lexicon writes these as it is told, and proves nothing of them"),
      CAA: noCaa,
      findsZone: "Lexicon finds the zone in a list of all domains, the adapter by its name",
      readsEveryPage: "Lexicon asks for the next page by a word that Name.com does not have",
      refuses: "Lexicon offers no record that the adapter refuses",
      errors: lexicon("reports a credential that is refused"),
      ...unproven.byJudge
    },
    trap: trapRows({
      findsZone: traps("a zone whose domain has other name servers than Name.com's is not opened"),
      ...forRows(["readsEveryPage", "NS"], everyPage),
      creates: traps(duplicate),
      ...forRows(["replaces", "removes", "CNAME"], replaced),
      TXT: traps("a short text is written as it is, a long one in quoted strings, and both are read alike"),
      ...forRows(["CAA", "refuses"], traps(caa)),
      errors: [...traps(duplicate, page), ...contract("401 Unauthorized while opening is credential_invalid")],
      faults: [...traps(slow), ...contract("500 Internal Server Error to a write is OutcomeUnknown")]
    })
  },
  traps: { [caa]: traps(caa), [duplicate]: traps(duplicate), [slow]: traps(slow), [page]: traps(page) }
}
