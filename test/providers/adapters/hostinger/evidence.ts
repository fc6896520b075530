import { type AdapterEvidence, contractRows, forEveryRow, forRows, testsIn } from "../AdapterEvidence.ts"
import { hostingerLimitations } from "./hostingerUnderTest.ts"

const traps = testsIn("hostinger/hostingerTraps.test.ts")

const overwrite = "overwrite false updates TTLs and appends; true replaces: always send it"
const removal = "DELETE by name and type takes all members"
const disabled = "records carry is_disabled"

/** What proves the adapter of Hostinger. */
export const hostingerEvidence: AdapterEvidence = {
  provider: "hostinger",
  vendor: "hostinger",
  name: "Hostinger",
  sources: {
    document: "Hostinger's OpenAPI document judges every request to the fake and every answer of it",
    recording: "nobody has published exchanges with Hostinger; lego's fixtures are made by hand",
    judge: "Debian has no client of Hostinger",
    trap: "what Hostinger's document warns of, and how lego writes and compares texts"
  },
  rows: {
    document: {
      ...contractRows("hostinger/hostingerContract.test.ts"),
      readsEveryPage: "a zone comes in one answer",
      rateLimit: "the document states no rate",
      faults: testsIn("hostinger/hostingerFaults.test.ts")("the fault matrix of Hostinger")
    },
    recording: forEveryRow("there is no recording"),
    judge: forEveryRow("Debian has no client of Hostinger"),
    trap: {
      ...forRows(["creates", "A", "AAAA", "MX", "NS", "SRV", "CAA", "wildcard"], "no trap of Hostinger is about it"),
      findsZone: traps("a zone of somebody else is authorization_zone_mismatch, whatever its status"),
      readsEveryPage: "a zone comes in one answer",
      replaces: traps(overwrite),
      removes: traps(removal),
      CNAME: traps("an alias at the apex is written as ALIAS"),
      TXT: traps("a text is read with quotes and without, and written without"),
      refuses: traps(disabled),
      errors: traps("an error of Hostinger"),
      rateLimit: traps("a limit says how long to wait"),
      faults: traps("an error of Hostinger")
    }
  },
  limitations: hostingerLimitations,
  traps: { [overwrite]: traps(overwrite), [removal]: traps(removal), [disabled]: traps(disabled) }
}
