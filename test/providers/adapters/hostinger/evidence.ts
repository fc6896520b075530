import { type AdapterEvidence, forEveryRow, testsOf } from "../AdapterEvidence.ts"
import { hostinger } from "./hostinger.ts"

const { adapter, contract, documentRows, trapRows, traps } = testsOf("hostinger/hostinger", hostinger)

const overwrite = "overwrite false updates TTLs and appends; true replaces: always send it"
const removal = "DELETE by name and type takes all members"
const disabled = "records carry is_disabled"

/** What proves the adapter of Hostinger. */
export const hostingerEvidence: AdapterEvidence = {
  ...adapter,
  sources: {
    document: "Hostinger's OpenAPI document judges every request to the fake and every answer of it",
    recording: "nobody has published exchanges with Hostinger; lego's fixtures are made by hand",
    judge: "Debian has no client of Hostinger",
    trap: "what Hostinger's document warns of, and how lego writes and compares texts"
  },
  rows: {
    document: { ...documentRows, readsEveryPage: "a zone comes in one answer" },
    recording: forEveryRow("there is no recording"),
    judge: forEveryRow("Debian has no client of Hostinger"),
    trap: trapRows({
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
      faults: contract("500 to a write is OutcomeUnknown")
    })
  },
  traps: { [overwrite]: traps(overwrite), [removal]: traps(removal), [disabled]: traps(disabled) }
}
