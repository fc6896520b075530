import { type AdapterEvidence, eachTrap, forRows, testsIn, testsOf, unproven } from "../AdapterEvidence.ts"
import { cloudflare } from "./cloudflare.ts"

const tests = testsOf("cloudflare/cloudflare", cloudflare)
const { adapter, contract, documentRows, readOnly, recordings, requests, sdkRows, trapRows, traps } = tests
const zones = testsIn("cloudflare/cloudflareZones.test.ts")
const flattening = testsIn("cloudflare/cloudflareFlattening.test.ts")

const everyPage = zones(
  "is read as a whole in smaller pages than it is asked for, and again if a record is added between two pages"
)
const spelledText = "TXT read back quoted, unquoted, or split; compare by decoded text"
const keptRecord = "records with meta.read_only (mail routing, workers) cannot be changed"
const proxied =
  "proxied A/AAAA/CNAME answer with Cloudflare addresses; a written CNAME to be seen in DNS must be proxied:false"
const cleared = "PUT clears comment, tags and settings that are not sent"
const otherTypes = "an ALIAS or SPF type may come back; NS of the apex and SOA are not in the list"
const flattened =
  "a CNAME below the apex is flattened when the record has settings.flatten_cname, when the zone has flatten_all_cnames (paid), or when its target is in the same zone; the world then sees A and AAAA (NODATA if the target has none)"
const unicode = "IDN zones appear in Unicode in listings"
const takenInFields = "a record that is taken in fields is created, read as it was planned, changed and removed:"

/** What proves the adapter of Cloudflare. */
export const cloudflareEvidence: AdapterEvidence = {
  ...adapter,
  sources: {
    document:
      "Cloudflare's OpenAPI document, with a patch for batches from its own SDK, judges every request to the fake and every answer of it",
    recording:
      "Lexicon's tests once made 88 exchanges at Cloudflare; they write addresses, aliases and texts only, each alone",
    judge: "Cloudflare's own SDK for JavaScript, unaltered, drives the fake at Cloudflare's own host",
    trap: "traps and errors that other clients of Cloudflare met"
  },
  rows: {
    document: { ...documentRows, readsEveryPage: everyPage },
    recording: {
      ...unproven.byPlainRecording,
      findsZone: recordings("is read by the adapter: the zone, and each record of each answer"),
      ...forRows(["creates", "removes", "A", "CNAME", "TXT"], requests),
      replaces: "it replaces by PUT, which clears comments; the adapter changes fields alone",
      readsEveryPage: "its lists were cut to six records",
      refuses: "it has no record that cannot be stored",
      errors: "its only error is the one for an identical record"
    },
    judge: {
      ...sdkRows("finds the zone, and creates, lists, changes and deletes a record", ["A"]),
      refuses:
        "the SDK offers no record that the adapter refuses; the fake refuses it an identical one, which is an error"
    },
    trap: trapRows({
      SRV: traps(`${takenInFields} SRV`),
      CAA: traps(`${takenInFields} CAA`),
      findsZone: traps(unicode),
      readsEveryPage: everyPage,
      ...forRows(["creates", "A", "CNAME"], traps(proxied)),
      replaces: traps(cleared),
      ...forRows(["removes", "MX", "refuses"], traps(keptRecord)),
      TXT: traps(spelledText),
      errors: [
        ...readOnly,
        ...contract(
          "403 9109 Unauthorized to access requested resource while opening is authorization_insufficient_scope",
          "400 81058 An identical record already exists. to a write is ZoneChanged"
        )
      ],
      rateLimit: [
        ...zones("of 10,000 records is read with five calls, of the 1,200 that five minutes allow"),
        ...contract("a limit says how long to wait")
      ],
      faults: [
        ...contract("200 with a page of HTML to a write is OutcomeUnknown"),
        ...traps("a batch that is refused for one of its changes leaves all of them out")
      ]
    })
  },
  traps: eachTrap(traps, [spelledText, keptRecord, proxied, cleared, otherTypes, unicode]),
  findings: { [flattened]: flattening("that does not flatten it goes for a text") }
}
