import { type AdapterEvidence, eachTrap, forRows, testsOf, unproven } from "../AdapterEvidence.ts"
import { hetzner } from "./hetzner.ts"

const { adapter, contract, decoded, documentRows, requests, sdkRows, trapRows, traps } = testsOf(
  "hetzner/hetzner",
  hetzner
)

const running = "201 means accepted: the action is running and can end in error"
const twoCalls = "set_records does not take a TTL and change_ttl does not take records: one change can be two calls"
const conflict = "409 conflict while another action runs on the zone"
const oldTokens = "zones of the old console API moved here in 2026"

const everyPage = traps("a zone of 10,000 records is read in pages of 100 sets, within the limit of an hour")

/** What proves the adapter of Hetzner. */
export const hetznerEvidence: AdapterEvidence = {
  ...adapter,
  sources: {
    document: "Hetzner's OpenAPI document judges every request to the fake and every answer of it",
    recording:
      "the tests of a newer Lexicon once made 360 exchanges at Hetzner; they write addresses, aliases and texts only",
    judge:
      "Distilled's client for JavaScript, which its authors generate from Hetzner's document, drives the fake unaltered at Hetzner's own host; Hetzner has no SDK on npm, and the clients of Debian are older than DNS in Hetzner Cloud",
    trap: "traps and errors that other clients of Hetzner met"
  },
  rows: {
    document: { ...documentRows, readsEveryPage: everyPage },
    recording: {
      ...unproven.byPlainRecording,
      ...forRows(["creates", "replaces", "removes", "A", "CNAME", "TXT"], requests),
      findsZone: decoded,
      readsEveryPage: "its lists were cut to six sets",
      errors: "its only error is 404 for a zone"
    },
    judge: sdkRows("finds the zone, and creates, lists, changes and deletes a set", []),
    trap: trapRows({
      findsZone: traps("a secondary zone is locked"),
      readsEveryPage: everyPage,
      creates: traps(running),
      replaces: traps(twoCalls),
      removes: traps("nothing is lost that somebody adds to a set before the write"),
      ...forRows(["CNAME", "MX"], traps("targets below the zone, and the zone's TTL, are read as they are served")),
      TXT: traps("texts are written as hcloud-go writes them"),
      ...forRows(["NS", "refuses"], traps("no plan changes a protected set, or the zone's name servers")),
      errors: [
        ...contract(
          "403 token_readonly to a write is authorization_insufficient_scope",
          "409 uniqueness_error to a write is ZoneChanged"
        ),
        ...traps(oldTokens)
      ],
      rateLimit: [...everyPage, ...contract("a limit says how long to wait")],
      faults: traps(
        "an action whose answer was lost shows in the list later",
        "when the TTL cannot be put back either, the outcome is unknown"
      )
    })
  },
  traps: eachTrap(traps, [running, twoCalls, conflict, oldTokens])
}
