import { type AdapterEvidence, eachTrap, forEveryRow, testsOf } from "../AdapterEvidence.ts"
import { spaceship } from "./spaceship.ts"

const { adapter, contract, documentRows, trapRows, traps } = testsOf("spaceship/spaceship", spaceship)

const force = "PUT may replace what stands at the name (flag force)"
const replaced = traps("a record is replaced by a removal, which names its data, and an addition")
const everyPage = traps("12,000 records are read within 300 calls in five minutes")
const noRecording = "nobody has published exchanges with Spaceship; the fixtures of its clients are made by hand"
const noJudge =
  "Debian's lego and Lexicon do not know Spaceship, and its own SDK is a Go module, which Debian does not have"

/** What proves the adapter of Spaceship. */
export const spaceshipEvidence: AdapterEvidence = {
  ...adapter,
  sources: {
    document:
      "Spaceship's OpenAPI document of its DNS records, as a client of another author keeps it (community-sdks/spaceship-php), judges every request to the fake and every answer of it",
    recording: noRecording,
    judge: noJudge,
    trap: "what Spaceship's own SDK and Terraform provider (Namecheap), DNSControl and their customers met there; nobody saw the words for records that conflict, nor whether a removal of what is not there is 404"
  },
  rows: {
    document: { ...documentRows, rateLimit: everyPage },
    recording: forEveryRow(noRecording),
    judge: forEveryRow(noJudge),
    trap: trapRows({
      findsZone: traps("a zone that other servers than Spaceship's serve is not opened"),
      readsEveryPage: [...everyPage, ...traps("pages that are shorter than asked for are all read")],
      creates: traps(force, "a record that somebody else adds just before is stored once"),
      replaces: [...traps(force), ...replaced],
      removes: replaced,
      A: traps("records of a product, of own name servers and of new groups are left as they are"),
      CNAME: traps("an alias at the apex is read as a CNAME, and gives way to an address"),
      TXT: traps("records that differ in the case of a text are two"),
      NS: traps("name servers that the API shows at the apex are fixed"),
      SRV: traps("an SRV is written below its service and protocol, and its port is read in either form"),
      refuses: [
        ...traps("types whose names begin with a port are read, and not written"),
        ...contract("refuses each record that the vendor cannot store, before any call that writes")
      ],
      errors: contract(
        "401 The user's request was not properly authorized. while opening is credential_invalid",
        "422 The entity is unprocessable. to a write is apply_rejected"
      ),
      rateLimit: [...everyPage, ...contract("a limit says how long to wait")],
      faults: contract("500 The infrastructure encountered an error. to a write is OutcomeUnknown")
    })
  },
  traps: eachTrap(traps, [force])
}
