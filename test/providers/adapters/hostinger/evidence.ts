import { type AdapterEvidence, contractRows, forEveryRow, forRows, testsIn } from "../AdapterEvidence.ts"
import { hostinger } from "./hostinger.ts"

const contract = testsIn("hostinger/hostingerContract.test.ts")
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
      findsZone: contract(
        "403 while opening is authorization_zone_mismatch",
        "404 while opening is authorization_zone_mismatch",
        "422 while opening is authorization_zone_mismatch"
      ),
      readsEveryPage: "a zone comes in one answer",
      replaces: traps(overwrite),
      removes: traps(removal),
      CNAME: traps("an alias at the apex is written as ALIAS"),
      TXT: traps("a text is read with quotes and without, and written without"),
      refuses: traps(disabled),
      errors: contract("401 while opening is credential_invalid", "422 to a write is apply_rejected"),
      rateLimit: contract("a limit says how long to wait"),
      faults: contract("500 to a write is OutcomeUnknown")
    }
  },
  limitations: hostinger.limitations,
  traps: { [overwrite]: traps(overwrite), [removal]: traps(removal), [disabled]: traps(disabled) }
}
