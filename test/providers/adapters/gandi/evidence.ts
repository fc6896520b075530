import { type AdapterEvidence, eachTrap, forEveryRow, forRows, testsOf, unproven } from "../AdapterEvidence.ts"
import { gandi } from "./gandi.ts"

const { adapter, contract, decoded, faults, lexicon, requests, trapRows, traps } = testsOf("gandi/gandi", gandi)

const putOfName = "PUT of a name removes every type there"
const letterCase = "the path must spell the name in the stored letter case"
const noSet = "404 of one set is not 404 of the zone"
const organization = "empty account answer when the token is of another organisation"
const expiry = "personal access tokens expire (up to a year) and belong to one organisation"

const targets = traps("a target without a dot at its end is relative to the zone, and is written back as it was")
const bothWays = lexicon("writes records that the adapter reads, and lists those that the adapter writes")
const noDocument = "Gandi publishes no document of its API in a form that a program reads"

/** What proves the adapter of Gandi. */
export const gandiEvidence: AdapterEvidence = {
  ...adapter,
  sources: {
    document: noDocument,
    recording: "Lexicon's tests once made 112 exchanges at Gandi, and the fake gives the same answers",
    judge: "Debian's Lexicon, unaltered, drives the fake at Gandi's own host",
    trap: "what DNSControl met there, and what Gandi says of its tokens; how it says that one has expired is not known"
  },
  rows: {
    document: forEveryRow(noDocument),
    recording: {
      ...unproven.byRecording,
      ...forRows(["creates", "removes"], requests),
      ...forRows(["A", "AAAA", "CNAME", "TXT"], decoded),
      ...forRows(["MX", "NS", "SRV", "CAA", "wildcard"], "it writes addresses, aliases and texts only"),
      findsZone: "it finds the zone by the zone itself, the adapter by its name servers",
      readsEveryPage: "its lists were cut to six sets",
      replaces: "its replacements have texts without quotes, or no TTL",
      errors: "its only errors are 404 for a domain and for a set"
    },
    judge: {
      ...forRows(
        ["creates", "replaces", "removes", "findsZone", "A", "AAAA", "CNAME", "MX", "TXT", "wildcard"],
        bothWays
      ),
      ...forRows(["NS", "SRV", "CAA"], "Lexicon writes these as it is told, and proves nothing of them"),
      readsEveryPage: "Lexicon reads one page only",
      refuses: "Lexicon offers no record that the adapter refuses",
      errors: lexicon("reports a credential that is refused"),
      ...unproven.byJudge
    },
    trap: trapRows({
      findsZone: traps(organization),
      readsEveryPage: traps(
        "pages are read until one that is not full, and a zone that fills its last one to an empty one"
      ),
      creates: traps("a set that appeared before it is created is a zone that has changed"),
      replaces: traps(putOfName, letterCase),
      removes: traps(noSet),
      CNAME: [...targets, ...traps("an alias at the apex is written as ALIAS")],
      MX: targets,
      TXT: contract(
        "leaves no changes to plan: texts with quotes, backslashes, semicolons, blanks and other scripts, each at its own host"
      ),
      errors: [
        ...traps(expiry),
        ...contract("403 Access was denied to this resource. while opening is authorization_insufficient_scope")
      ],
      faults: [...faults, ...contract("500 Internal Server Error to a write is OutcomeUnknown")]
    })
  },
  traps: eachTrap(traps, [putOfName, letterCase, noSet, organization, expiry])
}
