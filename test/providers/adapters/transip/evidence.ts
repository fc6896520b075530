import { type AdapterEvidence, eachTrap, forEveryRow, forRows, testsOf, unproven } from "../AdapterEvidence.ts"
import { transip } from "./transip.ts"

const { adapter, contract, decoded, faults, lexicon, recordings, requests, trapRows, traps } = testsOf(
  "transip/transip",
  transip
)

const put = "PUT /dns replaces the zone"
const patch = "PATCH finds the entry by name, type and TTL and fails when several match"

const targets = traps("a target without a final dot is relative to the zone, and one that is written has the dot")
const bothWays = lexicon("writes records that the adapter reads, and lists those that the adapter writes")
const noDocument = "the data of the vendors have no document of TransIP's API"

/** What proves the adapter of TransIP. */
export const transipEvidence: AdapterEvidence = {
  ...adapter,
  sources: {
    document: noDocument,
    recording: "Lexicon's tests once made exchanges at TransIP, and the fake gives the same answers",
    judge:
      "Debian's Lexicon, unaltered, which signs its requests for tokens itself, drives the fake at TransIP's own host",
    trap: "what DNSControl, octoDNS and TransIP's own clients say"
  },
  rows: {
    document: forEveryRow(noDocument),
    recording: {
      ...unproven.byRecording,
      ...forRows(["creates", "removes"], requests),
      ...forRows(["A", "AAAA", "CNAME", "MX", "TXT", "CAA"], decoded),
      ...forRows(["NS", "SRV", "wildcard"], "it has none of them"),
      replaces: "the adapter removes and creates in place of a replacement",
      findsZone: "it reads a domain of the account, and not its name servers",
      readsEveryPage: "a zone comes in one answer",
      errors: recordings("is repeated by the fake: authenticate_with_unmanaged_domain_should_fail")
    },
    judge: {
      ...forRows(["creates", "removes", "A", "AAAA", "CNAME", "MX", "TXT", "NS", "SRV", "wildcard"], bothWays),
      CAA: "Lexicon knows no CAA records",
      replaces: "Lexicon is asked for no replacement here",
      findsZone: "Lexicon reads a domain of the account, and not its name servers",
      readsEveryPage: "a zone comes in one answer",
      refuses: "Lexicon offers no record that the adapter refuses",
      errors: lexicon("reports a credential that is refused"),
      ...unproven.byJudge
    },
    trap: trapRows({
      findsZone: traps("a domain of the account that is delegated elsewhere is not opened"),
      ...forRows(["creates", "removes"], traps(put)),
      replaces: traps(patch),
      A: traps(patch),
      CNAME: [...targets, ...traps("an alias at the apex is written as ALIAS, and removed as what it is")],
      ...forRows(["MX", "SRV"], targets),
      TXT: traps("a text is stored as it is served, and quotes around it are a part of it"),
      errors: [
        ...traps("is not requested with what cannot sign a request"),
        ...contract("406 record content cannot be empty while opening is credential_invalid")
      ],
      faults: [
        ...faults,
        ...traps("an entry that changes before the call arrives that removes it stays, and is a zone that has changed")
      ]
    })
  },
  traps: eachTrap(traps, [put, patch])
}
