import { type AdapterEvidence, eachTrap, forEveryRow, forRows, testsOf, unproven } from "../AdapterEvidence.ts"
import { porkbun } from "./porkbun.ts"

const { adapter, contract, decoded, faults, lexicon, recordings, requests, trapRows, traps } = testsOf(
  "porkbun/porkbun",
  porkbun
)

const strings = "ttl and prio come as strings"
const errorsIn200 = "errors in 200 answers"
const parking = "default records to pixie.porkbun.com (ALIAS at the apex, CNAME *) are parking"
const names = "names read are absolute, written relative"
const access = "API access is switched on per domain, in Domain Management; a key alone opens none"

const bothWays = lexicon("writes records that the adapter reads, and lists those that the adapter writes")
const edited = traps("a record is edited in its place, and an alias at the apex is an ALIAS")
const noDocument = "Porkbun's document is on its site, and not among the data"

/** What proves the adapter of Porkbun. */
export const porkbunEvidence: AdapterEvidence = {
  ...adapter,
  sources: {
    document: noDocument,
    recording: "Lexicon's tests once made 137 exchanges at Porkbun, and the fake gives the same answers",
    judge: "Debian's Lexicon, unaltered, drives the fake, at the host that the API had before",
    trap: "what DNSControl, ddns-updater and Porkbun's help say; nobody saw all error codes of its document"
  },
  rows: {
    document: forEveryRow(noDocument),
    recording: {
      ...unproven.byRecording,
      ...forRows(["creates", "replaces", "removes"], requests),
      ...forRows(["A", "CNAME", "TXT", "NS", "wildcard"], decoded),
      ...forRows(["AAAA", "MX", "SRV", "CAA"], "no such record was recorded"),
      findsZone: recordings("is repeated by the fake: authenticate_with_unmanaged_domain_should_fail"),
      readsEveryPage: "a zone comes in one answer",
      errors: recordings("is repeated by the fake: authenticate_with_unmanaged_domain_should_fail")
    },
    judge: {
      ...forRows(
        ["creates", "replaces", "removes", "findsZone", "A", "AAAA", "CNAME", "MX", "TXT", "wildcard"],
        bothWays
      ),
      ...forRows(["NS", "SRV", "CAA"], "Lexicon writes these as it is told, and proves nothing of them"),
      readsEveryPage: "a zone comes in one answer",
      refuses: "Lexicon offers no record that the adapter refuses",
      errors: lexicon("reports a credential that is refused"),
      ...unproven.byJudge
    },
    trap: trapRows({
      findsZone: traps("a zone that other servers than Porkbun's serve is not opened"),
      readsEveryPage: "a zone comes in one answer",
      ...forRows(["creates", "A", "wildcard"], traps(names)),
      ...forRows(["replaces", "removes"], edited),
      CNAME: [...traps(parking), ...edited],
      ...forRows(["MX", "SRV"], traps(strings)),
      ...forRows(
        ["NS", "TXT"],
        traps("a text in quotes that somebody entered is read without them, and name servers of the zone are fixed")
      ),
      errors: [
        ...traps(errorsIn200, access),
        ...contract("400 Domain is not opted in to API access. while opening is account_not_entitled")
      ],
      faults: [...faults, ...contract("503 to a write is OutcomeUnknown")]
    })
  },
  traps: eachTrap(traps, [strings, errorsIn200, parking, names, access])
}
