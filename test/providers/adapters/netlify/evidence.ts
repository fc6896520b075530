import { type AdapterEvidence, forEveryRow, forRows, testsOf, unproven } from "../AdapterEvidence.ts"
import { netlify } from "./netlify.ts"

const { adapter, contract, documentRows, sdk, trapRows, traps } = testsOf("netlify/netlify", netlify)

const halfDone = "delete done, create refused: the old record is gone"
const servers = "name servers are NS1's"
const managed = "records of type NETLIFY are managed"
const resumed = "a process that ends between the removal and the creation is resumed"
const beside = "records of a site stay beside what does not concern the web, and are not removed for another website"

const finds = sdk("finds the zone, and creates, lists and deletes a record")
const bothWays = sdk("writes records that the adapter reads, and reads those that the adapter writes")

/** What proves the adapter of Netlify. */
export const netlifyEvidence: AdapterEvidence = {
  ...adapter,
  sources: {
    document: "Netlify's OpenAPI document judges every request to the fake and every answer of it",
    recording: "nobody has published one",
    judge: "Netlify's own SDK for JavaScript, unaltered, drives the fake at Netlify's own host",
    trap: "traps and errors that other clients of Netlify met"
  },
  rows: {
    document: { ...documentRows, readsEveryPage: "the document of the DNS calls has no pages" },
    recording: forEveryRow("there is no recording of Netlify"),
    judge: {
      ...forRows(["findsZone", "creates", "removes", "refuses", "errors"], finds),
      ...forRows(["A", "AAAA", "CNAME", "MX", "TXT", "NS", "SRV", "CAA", "wildcard"], bothWays),
      replaces: "Netlify has no call that changes a record",
      readsEveryPage: "the SDK reads no pages",
      ...unproven.byJudge
    },
    trap: trapRows({
      findsZone: traps(servers, "an API key of NS1 is not sent to Netlify"),
      readsEveryPage: traps("the pages of both lists are followed, where there are any"),
      ...forRows(["creates", "replaces"], traps(halfDone)),
      removes: traps(beside),
      CNAME: traps("an alias at the apex is an ALIAS, and gives way to an address"),
      refuses: traps(beside),
      errors: contract(
        "401 Access Denied while opening is credential_invalid",
        "422 Value is invalid to a write is apply_rejected"
      ),
      rateLimit: [
        ...traps("10,000 records are read in pages of 100 at no more than 500 calls a minute"),
        ...contract("a limit says how long to wait")
      ],
      faults: traps(resumed)
    })
  },
  traps: {
    [halfDone]: traps(halfDone, resumed),
    [servers]: traps(servers),
    [managed]: traps(managed, beside)
  },
  findings: {
    "the zone object carries supported_record_types; the provider of Terraform knows no SRV": traps(
      "a type of records is refused before any write where the zone names others"
    )
  }
}
