import { type AdapterEvidence, forEveryRow, forRows, testsOf } from "../AdapterEvidence.ts"
import { wix } from "./wix.ts"

const { adapter, contract, faults, trapRows, traps } = testsOf("wix/wix", wix)

const pointed = "a domain that is only pointed to Wix has no zone there"
const siblings = "one object per host and type holds all values; an addition to it may replace them (not stated)"

const values = traps("values are read with quotes and final dots and without, and written without")
const answered = traps(
  "an answer without the zone counts if the zone shows what was sent",
  "an answer without a record that was sent is no success"
)
const aTrip = contract("leaves no changes to plan: a record of every type in an empty domain")
const noDocument = "Wix publishes no document of its API in a form that a program reads"
const noJudge = "Wix's SDK has no module of this API on npm any more, and Debian has no client of it"

/** What proves the adapter of Wix. */
export const wixEvidence: AdapterEvidence = {
  ...adapter,
  sources: {
    document: noDocument,
    recording: "nobody has published exchanges with this API",
    judge: noJudge,
    trap: "the doc comments of Wix's SDK, its table of errors and what scripts of its customers send; where these are silent, the fake does each of the ways in turn"
  },
  rows: {
    document: forEveryRow(noDocument),
    recording: forEveryRow("there is no recording"),
    judge: forEveryRow(noJudge),
    trap: trapRows({
      ...forRows(["NS", "CAA"], "the adapter refuses it"),
      findsZone: [
        ...traps(pointed),
        ...traps("a zone that Wix serves by other name servers than the parent says is not opened")
      ],
      readsEveryPage: "a zone comes in one answer",
      creates: traps(siblings),
      replaces: [...traps(siblings), ...answered],
      removes: traps(siblings),
      A: traps(siblings),
      CNAME: aTrip,
      ...forRows(["MX", "TXT", "SRV"], values),
      errors: [
        ...contract("404 TARGET_ACCOUNT_NOT_FOUND while opening is credential_invalid"),
        ...traps("a refusal after which the set is not seen as it was leaves the outcome unknown")
      ],
      faults
    })
  },
  traps: { [pointed]: traps(pointed), [siblings]: traps(siblings) }
}
