import { type AdapterEvidence, contractRows, forRows, testsIn, unproven } from "../AdapterEvidence.ts"
import { cloudflareLimitations } from "./cloudflareUnderTest.ts"

const zones = testsIn("cloudflare/cloudflareZones.test.ts")
const recordings = testsIn("cloudflare/cloudflareRecordings.test.ts")
const sdk = testsIn("cloudflare/cloudflareSdk.servers.test.ts")
const failures = testsIn("cloudflare/cloudflareFailures.test.ts")
const faults = testsIn("cloudflare/cloudflareFaults.test.ts")
const traps = testsIn("cloudflare/cloudflareTraps.test.ts")

const requested = "is requested by the adapter in the same way, as one of a batch:"
const bothWays = sdk(
  "writes a batch as a whole, and the adapter reads each record of it",
  "lists what the adapter has written, and changes it so that the adapter sees it"
)
const keptRecord = traps(
  "a record that Cloudflare keeps is locked: a plan that would replace it fails before the first write"
)

/** What proves the adapter of Cloudflare. */
export const cloudflareEvidence: AdapterEvidence = {
  provider: "cloudflare",
  name: "Cloudflare",
  sources: {
    document:
      "Cloudflare's OpenAPI document, with a patch for batches from its own SDK, judges every request to the fake and every answer of it",
    recording:
      "Lexicon's tests once made 88 exchanges at Cloudflare; they write addresses, aliases and texts only, each alone",
    judge: "Cloudflare's own SDK for JavaScript, unaltered, drives the fake at Cloudflare's own host",
    trap: "traps and errors that other clients of Cloudflare met"
  },
  rows: {
    document: {
      ...contractRows(testsIn("cloudflare/cloudflareContract.test.ts")),
      readsEveryPage: zones("is read again if a record is added between two pages"),
      rateLimit: "the document states no rate",
      faults: faults("the fault matrix of Cloudflare")
    },
    recording: {
      ...unproven.byRecording,
      findsZone: recordings("is read by the adapter: each zone, and each record in each answer"),
      ...forRows(["creates", "TXT"], recordings(`${requested} TXT _acme-challenge.test.byemike.org dns_records`)),
      A: recordings(`${requested} A localhost.byemike.org dns_records`),
      CNAME: recordings(`${requested} CNAME docs.byemike.org dns_records`),
      removes: recordings("names the record in the same way, in a batch: DELETE caf9ac8ffcaa7a57f5dec1150328e4c3"),
      replaces: "it replaces by PUT, which clears comments; the adapter changes fields alone",
      ...forRows(["AAAA", "MX", "NS", "SRV", "CAA", "wildcard"], "it writes addresses, aliases and texts only"),
      readsEveryPage: "its lists were cut to six records",
      refuses: "it has no record that cannot be stored",
      errors: "its only error is the one for an identical record"
    },
    judge: {
      ...forRows(
        ["findsZone", "creates", "replaces", "removes"],
        sdk("finds the zone, and creates, lists, changes and deletes a record")
      ),
      readsEveryPage: sdk("reads all pages of a zone"),
      A: sdk("finds the zone, and creates, lists, changes and deletes a record"),
      ...forRows(["AAAA", "CNAME", "MX", "TXT", "NS", "SRV", "CAA", "wildcard"], bothWays),
      refuses:
        "the SDK offers no record that the adapter refuses; the fake refuses it an identical one, which is an error",
      errors: sdk("reports the refusal of an identical record"),
      ...unproven.byJudge
    },
    trap: {
      ...forRows(["AAAA", "NS", "SRV", "CAA", "wildcard"], "no trap of Cloudflare is about it"),
      findsZone: traps("a zone that is listed in Unicode is found"),
      readsEveryPage: zones("is read again if a record is added between two pages"),
      ...forRows(["creates", "A", "CNAME"], traps("what is written is not proxied, and proxied siblings stay so")),
      replaces: traps("an update keeps comment, tags and settings"),
      ...forRows(["removes", "MX", "refuses"], keptRecord),
      TXT: traps("a text is read and written in each spelling"),
      errors: failures("is recognized by its code: 9109, no permission", "to a batch means ZoneChanged: 81058"),
      rateLimit: [
        ...zones("of 10,000 records is read with five calls, of the 1,200 that five minutes allow"),
        ...failures("says how long to wait")
      ],
      faults: failures("is recognized by its code: a page of a proxy", "a batch at Cloudflare")
    }
  },
  limitations: cloudflareLimitations,
  traps: {
    "TXT read back quoted, unquoted, or split; compare by decoded text": traps(
      "a text is read and written in each spelling"
    ),
    "records with meta.read_only (mail routing, workers) cannot be changed": keptRecord,
    "proxied A/AAAA/CNAME answer with Cloudflare addresses; a written CNAME to be seen in DNS must be proxied:false":
      traps("what is written is not proxied, and proxied siblings stay so"),
    "PUT clears comment, tags and settings that are not sent": traps("an update keeps comment, tags and settings"),
    "an ALIAS or SPF type may come back; NS of the apex and SOA are not in the list": traps(
      "types that the adapter does not know are read"
    ),
    "IDN zones appear in Unicode in listings": traps("a zone that is listed in Unicode is found")
  }
}
