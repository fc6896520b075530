import { type AdapterEvidence, eachTrap, forEveryRow, forRows, testsOf, unproven } from "../AdapterEvidence.ts"
import { ovh } from "./ovh.ts"

const { adapter, contract, faults, lexicon, recordings, trapRows, traps } = testsOf("ovh/ovh", ovh)

const refresh = "without refresh nothing is served"
const textTypes = "fieldType DKIM, SPF, DMARC are TXT in DNS and read-only in type"
const singleReads = "n+1 reads"

const targets = traps("a target without a dot at its end is relative to the zone, and one that is written has the dot")
const bothWays = lexicon("writes records that the adapter reads, and lists those that the adapter writes")
const decoded = recordings("decodes every record that was recorded")
const requests = recordings("creates and publishes with the recorded requests")
const noDocument = "the data of the vendors have no document of OVHcloud's API"
const gone = traps("a record that goes while the zone is read is left out, but a zone that goes is no empty zone")

/** What proves the adapter of OVHcloud. */
export const ovhEvidence: AdapterEvidence = {
  ...adapter,
  sources: {
    document: noDocument,
    recording: "Lexicon's tests once made exchanges at OVHcloud, and the fake gives the same answers",
    judge: "Debian's Lexicon, unaltered, which signs its calls itself, drives the fake at OVHcloud's own host",
    trap: "what DNSControl met there, and the error codes of OVHcloud's own client for Python"
  },
  rows: {
    document: forEveryRow(noDocument),
    recording: {
      ...unproven.byRecording,
      ...forRows(["creates"], requests),
      ...forRows(["A", "CNAME", "MX", "NS", "TXT"], decoded),
      ...forRows(["AAAA", "SRV", "CAA", "wildcard"], "it has none of them"),
      removes: "what it removed is shown only by the list of ids afterwards",
      findsZone: "it lists the zones of the account, for which the adapter has no right",
      readsEveryPage: "its lists of ids were cut to forty",
      replaces: "its replacements have no TTL",
      errors: "it has no errors"
    },
    judge: {
      ...forRows(["creates", "removes", "A", "CNAME", "MX", "TXT", "wildcard"], bothWays),
      ...forRows(["AAAA", "NS", "SRV", "CAA"], "Lexicon writes these as it is told, and proves nothing of them"),
      replaces: "Lexicon replaces a record by its name too, which the adapter does not",
      findsZone: "Lexicon lists the zones of the account, for which the adapter has no right",
      readsEveryPage: bothWays,
      refuses: "Lexicon offers no record that the adapter refuses",
      errors: lexicon("reports a credential that is refused"),
      ...unproven.byJudge
    },
    trap: trapRows({
      findsZone: gone,
      readsEveryPage: traps(singleReads),
      creates: traps(refresh),
      replaces: traps(textTypes, "a TTL of 0 is the zone's own, and is written back as 0"),
      removes: gone,
      CNAME: targets,
      MX: targets,
      TXT: traps(textTypes),
      errors: contract(
        "403 This credential is not valid while opening is authorization_expired",
        "403 Invalid application key while opening is provider_unavailable"
      ),
      faults: [...faults, ...traps("a refresh that is refused leaves the write unknown, for the record is written")]
    })
  },
  traps: eachTrap(traps, [refresh, textTypes, singleReads])
}
