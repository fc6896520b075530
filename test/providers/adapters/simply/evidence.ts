import { type AdapterEvidence, forEveryRow, forRows, testsOf } from "../AdapterEvidence.ts"
import { simply } from "./simply.ts"

const { adapter, contract, faults, lego, legoRows, trapRows, traps } = testsOf("simply/simply", simply)

const legosText = lego("creates a text that the adapter reads, and removes it")
const objects = traps(
  "a zone is reached by the object of its product, whatever that is",
  "of several products with the name of a domain, the one that has a zone is taken",
  "a zone that other servers than Simply.com's serve is not opened"
)
const names = traps(
  "names are relative, and the apex is @",
  "a name that ends in that of its zone would be taken as an absolute one"
)
const priorities = traps("a priority is apart, and 0 or null where there is none")
const replaced = traps("a replacement names all of a record, so that the comment of the customer stays")
const aTrip = contract("leaves no changes to plan: a record of every type in an empty domain")
const onePage = "a zone comes in one answer"
const noDocument = "Simply.com's OpenAPI document is on its site, and not among the data"

/** What proves the adapter of Simply.com. */
export const simplyEvidence: AdapterEvidence = {
  ...adapter,
  sources: {
    document: noDocument,
    recording: "nobody has published exchanges with Simply.com; lego's fixtures are made by hand",
    judge:
      "Debian's lego, unaltered, drives the fake of the version before, at Simply.com's own host; it writes texts only, by their absolute names",
    trap: "what the pages of Simply.com's API say, what its own developer's client for Stalwart does, and lego, Posh-ACME and others; nobody saw its words for too many calls, nor what it says of most bad records"
  },
  rows: {
    document: forEveryRow(noDocument),
    recording: forEveryRow("there is no recording"),
    judge: {
      ...legoRows,
      findsZone: "lego takes the name of the zone for the object of its product",
      ...forRows(["creates", "removes"], legosText),
      replaces: "lego replaces no record",
      TXT: [...legosText, ...lego("adds a text beside one that the adapter has written, and removes its own")],
      readsEveryPage: onePage
    },
    trap: trapRows({
      findsZone: objects,
      readsEveryPage: onePage,
      ...forRows(["creates", "A", "wildcard"], names),
      replaces: replaced,
      removes: traps("the name servers of the zone are fixed, and those of a host below are not"),
      ...forRows(["AAAA", "CNAME", "CAA"], aTrip),
      MX: [...priorities, ...replaced],
      SRV: priorities,
      TXT: traps("a text is written without quotes whatever its length, and read with quotes and without"),
      NS: traps("the name servers of the zone are fixed, and those of a host below are not"),
      errors: [
        ...contract(
          "400 Invalid account authorization while opening is credential_invalid",
          "404 Unknown DNS record to a write is ZoneChanged",
          "404 Not found in a 200 while opening is authorization_zone_mismatch"
        ),
        ...traps("an answer is a success only with the status 200 in its body")
      ],
      faults: [...faults, ...contract("500 Internal server error to a write is OutcomeUnknown")]
    })
  },
  traps: {}
}
