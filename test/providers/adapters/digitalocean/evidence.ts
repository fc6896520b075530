import { type AdapterEvidence, eachTrap, forRows, testsOf, unproven } from "../AdapterEvidence.ts"
import { digitalOcean } from "./digitalOcean.ts"

const { adapter, contract, decoded, documentRows, lexicon, recordings, requests, trapRows, traps } = testsOf(
  "digitalocean/digitalOcean",
  digitalOcean
)
const bothWays = lexicon("writes records that the adapter reads, and lists those that the adapter writes")

const apex = 'target equal to the zone is read as "@"'
const dot = "CAA target needs a trailing dot on write only"
const textLimit = "TXT limit counts quotes and escapes of the encoded form (about 512)"
const pages = "default page is 20 records; a page can shift while reading"

const types = ["A", "AAAA", "CNAME", "MX", "NS", "SRV", "CAA", "wildcard"] as const

/** What proves the adapter of DigitalOcean. */
export const digitalOceanEvidence: AdapterEvidence = {
  ...adapter,
  sources: {
    document: "DigitalOcean's OpenAPI document judges every request to the fake and every answer of it",
    recording: "Lexicon's tests once made 143 exchanges at DigitalOcean; they write texts only",
    judge: "Debian's Lexicon, unaltered, drives the fake at DigitalOcean's own host",
    trap: "traps and errors that other clients of DigitalOcean met"
  },
  rows: {
    document: { ...documentRows, readsEveryPage: "the zones of the contract fit one page" },
    recording: {
      ...unproven.byRecording,
      ...forRows(["creates", "replaces", "removes"], requests),
      findsZone: recordings("is repeated by the fake: authenticate_with_unmanaged_domain_should_fail"),
      TXT: decoded,
      ...forRows(types, "the recording writes texts only"),
      readsEveryPage: "its lists were cut to six records",
      errors: "it has one error only, 404 for a zone"
    },
    judge: {
      ...forRows(["creates", "removes", "findsZone", "A", "AAAA", "CNAME", "TXT", "NS", "wildcard"], bothWays),
      replaces: "Lexicon is asked for no replacement here",
      ...forRows(
        ["MX", "SRV"],
        "Lexicon sends no priority, weight and port to DigitalOcean; it lists what the adapter writes, without them"
      ),
      CAA: "Lexicon knows no CAA records",
      readsEveryPage: lexicon("reads all pages of a zone"),
      refuses: "Lexicon offers no record that the adapter refuses",
      errors: lexicon("reports a credential that is refused"),
      ...unproven.byJudge
    },
    trap: trapRows({
      findsZone: contract("404 not_found while opening is authorization_zone_mismatch"),
      readsEveryPage: traps(pages),
      replaces: contract("a record that is gone when the call arrives that replaces it is a zone that has changed"),
      removes: contract("a record that is gone before it is removed is a zone that has changed"),
      ...forRows(["CNAME", "MX", "SRV"], traps(apex)),
      ...forRows(["TXT", "refuses"], traps(textLimit)),
      CAA: traps(dot),
      errors: contract(
        "401 unauthorized while opening is credential_invalid",
        "422 unprocessable_entity to a write is apply_rejected",
        "an alias that took the name just before the call arrives is a zone that has changed"
      ),
      rateLimit: [
        ...traps("10,000 records are read within 250 calls a minute and half a minute"),
        ...contract("a limit says how long to wait")
      ],
      faults: contract("500 server_error to a write is OutcomeUnknown")
    })
  },
  traps: eachTrap(traps, [apex, dot, textLimit, pages]),
  findings: {
    "the list takes name (absolute) and type": traps("a guard before a write asks for one name, not for the whole zone")
  }
}
