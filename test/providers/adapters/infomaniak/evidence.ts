import { type AdapterEvidence, eachTrap, forEveryRow, forRows, testsOf, unproven } from "../AdapterEvidence.ts"
import { infomaniak } from "./infomaniak.ts"

const { adapter, contract, decoded, faults, lexicon, recordings, requests, trapRows, traps } = testsOf(
  "infomaniak/infomaniak",
  infomaniak
)

const generations = "two generations of paths"

const bothWays = lexicon("writes records that the adapter reads, and lists those that the adapter writes")
const apex = traps("the apex is a dot, and is read from a dot and from no name")
const changed = traps("a change names what changes only, and the record stays where it is")
const kept = traps("an address of the dynamic DNS stays as it is, and so do the name servers of the zone")
const rate = traps("a zone of 5,000 hosts is read within 60 calls a minute")
const aTrip = contract("leaves no changes to plan: a record of every type in an empty domain")
const noDocument = "Infomaniak's document is on its site, and not among the data"

/** What proves the adapter of Infomaniak. */
export const infomaniakEvidence: AdapterEvidence = {
  ...adapter,
  sources: {
    document: noDocument,
    recording:
      "Lexicon's tests once made 120 exchanges with the version before, whose records have other ids and priorities apart; they write an address, an alias and texts",
    judge: "Debian's Lexicon, unaltered, drives the fake of the version before, at Infomaniak's own host",
    trap: "what Infomaniak's own clients, DNSControl, libdns and Stalwart do and met there; nobody saw its words for too many calls"
  },
  rows: {
    document: forEveryRow(noDocument),
    recording: {
      ...unproven.byRecording,
      ...forRows(["creates", "replaces", "removes"], requests),
      ...forRows(["A", "CNAME", "TXT"], decoded),
      ...forRows(["AAAA", "MX", "NS", "SRV", "CAA", "wildcard"], "no such record was recorded"),
      findsZone: "it finds the zone among products, the adapter by its name",
      errors: recordings("is repeated by the fake: authenticate_with_unmanaged_domain_should_fail")
    },
    judge: {
      ...forRows(["creates", "removes", "A", "AAAA", "CNAME", "TXT", "NS", "wildcard"], bothWays),
      findsZone: "Lexicon finds the zone among products, the adapter by its name",
      replaces: "Lexicon is asked for no replacement here",
      MX: "Lexicon sends Infomaniak no priority; it lists the target of what the adapter writes",
      ...forRows(["SRV", "CAA"], "Lexicon writes these as it is told, and proves nothing of them"),
      readsEveryPage: "the version before has no pages",
      refuses: "Lexicon offers no record that the adapter refuses",
      errors: lexicon("reports a credential that is refused"),
      ...unproven.byJudge
    },
    trap: trapRows({
      findsZone: traps(generations, "a zone is opened only if the parent delegates to the name servers that it has"),
      readsEveryPage: [...rate, ...traps("pages that do not say how many there are end with one that is not full")],
      creates: traps(generations),
      replaces: changed,
      removes: traps(generations),
      A: [...apex, ...kept],
      ...forRows(["AAAA", "CNAME", "SRV", "CAA"], aTrip),
      MX: changed,
      TXT: traps(
        "a text is written in quoted strings of 255 bytes, and read from them",
        "a key for signed mail comes with its kind, and no other text does"
      ),
      NS: kept,
      wildcard: apex,
      errors: contract(
        "401 not_authorized while opening is credential_invalid",
        "200 validation_failed to a write is apply_rejected",
        "a credential that may only read opens and reads the zone, and its writes lack a scope"
      ),
      rateLimit: [...rate, ...contract("a limit says how long to wait")],
      faults: [...faults, ...contract("500 internal_error to a write is OutcomeUnknown")]
    })
  },
  traps: eachTrap(traps, [generations])
}
