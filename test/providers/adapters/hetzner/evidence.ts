import { type AdapterEvidence, eachTrap, forRows, testsIn, testsOf, unproven } from "../AdapterEvidence.ts"
import { hetzner } from "./hetzner.ts"

const tests = testsOf("hetzner/hetzner", hetzner)
const { adapter, contract, decoded, documentRows, requests, trapRows, traps } = tests
const judge = testsIn("hetzner/hetznerClient.servers.test.ts")

const running = "201 means accepted: the action is running and can end in error"
const twoCalls = "set_records does not take a TTL and change_ttl does not take records: one change can be two calls"
const conflict = "409 conflict while another action runs on the zone"
const oldTokens = "zones of the old console API moved here in 2026"

const everyPage = traps("a zone of 10,000 records is read within the limit of an hour, in pages of 100 sets")
const changes = judge("finds the zone, and creates, lists, changes and deletes a set")
const bothWays = judge("writes records that the adapter reads, and reads those that the adapter writes, on every page")

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
    judge: {
      ...forRows(["findsZone", "creates", "replaces", "removes", "errors"], changes),
      ...forRows(["readsEveryPage", "A", "AAAA", "CNAME", "MX", "TXT", "NS", "SRV", "CAA", "wildcard"], bothWays),
      refuses: "the client leaves it to its caller what Hetzner cannot store",
      ...unproven.byJudge
    },
    trap: trapRows({
      findsZone: traps("a secondary zone is locked"),
      readsEveryPage: everyPage,
      creates: traps(running),
      replaces: traps(twoCalls),
      removes: traps("loses nothing that somebody else adds to a set between the comparison and a write"),
      ...forRows(
        ["CNAME", "MX"],
        traps("targets below the zone, and the TTL of the zone, are read as they are served")
      ),
      TXT: traps("gets texts as hcloud-go writes them: quotes with a backslash, and other scripts as they are"),
      ...forRows(["NS", "refuses"], traps("no plan changes a set that is protected, or the zone's own name servers")),
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
