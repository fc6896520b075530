import {
  type AdapterEvidence,
  contractRows,
  forEveryRow,
  forRows,
  rowsWithoutJudge,
  testsIn
} from "../AdapterEvidence.ts"
import { netlifyLimitations } from "./netlifyUnderTest.ts"

const sdk = testsIn("netlify/netlifySdk.servers.test.ts")
const failures = testsIn("netlify/netlifyFailures.test.ts")
const traps = testsIn("netlify/netlifyTraps.test.ts")

const finds = sdk("finds the zone, and creates, lists and deletes a record")
const bothWays = sdk("writes records that the adapter reads, and reads those that the adapter writes")

/** What proves the adapter of Netlify. */
export const netlifyEvidence: AdapterEvidence = {
  provider: "netlify",
  vendor: "netlify",
  name: "Netlify",
  sources: {
    document: "Netlify's OpenAPI document judges every request to the fake and every answer of it",
    recording: "nobody has published one",
    judge: "Netlify's own SDK for JavaScript, unaltered, drives the fake at Netlify's own host",
    trap: "traps and errors that other clients of Netlify met"
  },
  rows: {
    document: {
      ...contractRows("netlify/netlifyContract.test.ts"),
      readsEveryPage: "the document of the DNS calls has no pages",
      rateLimit: "the document states no rate",
      faults: testsIn("netlify/netlifyFaults.test.ts")("the fault matrix of Netlify")
    },
    recording: forEveryRow("there is no recording of Netlify"),
    judge: {
      ...forRows(["findsZone", "creates", "removes", "refuses", "errors"], finds),
      ...forRows(["A", "AAAA", "CNAME", "MX", "TXT", "NS", "SRV", "CAA", "wildcard"], bothWays),
      replaces: "Netlify has no call that changes a record",
      readsEveryPage: "the SDK reads no pages",
      ...rowsWithoutJudge
    },
    trap: {
      ...forRows(["A", "AAAA", "MX", "TXT", "NS", "SRV", "CAA", "wildcard"], "no trap of Netlify is about it"),
      findsZone: traps(
        "a zone that the token does not see, or that has another set of NS1's name servers, is not opened",
        "an API key of NS1 is not sent to Netlify"
      ),
      readsEveryPage: failures("follows the pages of both lists, where there are any"),
      ...forRows(
        ["creates", "replaces"],
        traps("a refused creation brings the old record back, and the failure is that of the creation")
      ),
      removes: traps("they stay beside what does not concern the web"),
      CNAME: failures("stores an alias at the apex of the zone in Netlify's own way, and removes it"),
      refuses: traps("they are not removed for another website: nothing is written"),
      errors: failures("says what 401 means for each call", "says what 422 means for each call"),
      rateLimit: failures(
        "reads 10,000 records in pages of 100 at no more than 500 calls a minute",
        "says when the next minute of the rate limit begins"
      ),
      faults: traps("a process that ends between the two calls is resumed")
    }
  },
  limitations: netlifyLimitations,
  traps: {
    "delete done, create refused: the old record is gone": traps(
      "a refused creation brings the old record back, and the failure is that of the creation",
      "a process that ends between the two calls is resumed"
    ),
    "name servers are NS1's": traps(
      "detection by nsone.net alone never says Netlify",
      "a zone that the token does not see, or that has another set of NS1's name servers, is not opened"
    ),
    "records of type NETLIFY are managed": traps(
      "they count as the web of their host",
      "they stay beside what does not concern the web",
      "they are not removed for another website: nothing is written"
    )
  },
  findings: {
    "the zone object carries supported_record_types; the provider of Terraform knows no SRV": traps(
      "are read from the zone, and a type that is not in it is refused before the first write"
    )
  }
}
