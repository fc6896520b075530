import { type AdapterEvidence, eachTrap, forRows, testsOf, unproven } from "../AdapterEvidence.ts"
import { linode } from "./linode.ts"

const { adapter, contract, decoded, documentRows, lexicon, readOnly, recordings, requests, trapRows, traps } = testsOf(
  "linode/linode",
  linode
)

const retryAfter = "Retry-After on 200 answers must not be taken as throttling"
const ttl = "TTL is snapped to a list; a TTL set on creation was not kept by older versions"
const flags = "CAA flags are lost without an error"
const service = "SRV service and protocol come without underscore and apart from the name"

const bothWays = lexicon("writes records that the adapter reads, and lists those that the adapter writes")
const everyPage = "12,000 records are read within 100 calls a minute and half a minute"

/** What proves the adapter of Linode. */
export const linodeEvidence: AdapterEvidence = {
  ...adapter,
  sources: {
    document: "Linode's OpenAPI document, which lacks the empty name of the apex and the errors of lists",
    recording: "Lexicon's tests once made 110 exchanges at Linode; they write an address, an alias and texts",
    judge: "Debian's Lexicon, unaltered, drives the fake at Linode's own host",
    trap: "what DNSControl met there, and Linode's guides; nobody saw the words for records that conflict"
  },
  rows: {
    document: documentRows,
    recording: {
      ...unproven.byRecording,
      ...forRows(["creates", "replaces", "removes"], requests),
      ...forRows(["A", "CNAME", "TXT"], decoded),
      ...forRows(["AAAA", "MX", "NS", "SRV", "CAA", "wildcard"], "no such record was recorded"),
      findsZone: recordings("is repeated by the fake: authenticate_with_unmanaged_domain_should_fail")
    },
    judge: {
      ...forRows(["creates", "removes", "findsZone", "A", "AAAA", "CNAME", "TXT", "NS", "wildcard"], bothWays),
      replaces: "Lexicon is asked for no replacement here",
      MX: "Lexicon sends Linode no priority; it lists the target of what the adapter writes",
      SRV: "Lexicon sends Linode no service, protocol, priority, weight and port",
      CAA: "Lexicon knows no CAA records",
      readsEveryPage: "the zone of Lexicon has one page",
      refuses: "Lexicon offers no record that the adapter refuses",
      errors: lexicon("reports a credential that is refused"),
      ...unproven.byJudge
    },
    trap: trapRows({
      findsZone: traps(
        "a domain is found by its name among those of the account",
        "a domain that is a copy, switched off or another one is not opened"
      ),
      readsEveryPage: traps(everyPage),
      ...forRows(["creates", "A"], traps(ttl)),
      MX: traps("a null MX has no target, and a mail server and it take the place of each other"),
      NS: traps("a name server that stands at the apex is fixed"),
      SRV: traps(service),
      ...forRows(["CAA", "refuses"], traps(flags)),
      errors: [...contract("401 Invalid Token while opening is credential_invalid"), ...readOnly],
      rateLimit: [...traps(retryAfter, everyPage), ...contract("a limit says how long to wait")],
      faults: contract("500 Internal Server Error to a write is OutcomeUnknown")
    })
  },
  traps: eachTrap(traps, [retryAfter, ttl, flags, service])
}
