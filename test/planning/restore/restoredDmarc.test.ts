import { describe, expect, test } from "bun:test"
import { ConnectionId } from "../../../src/domain/connection/Connection.ts"
import { desiredRecords, exampleCom, intentFor, zoneOf } from "../../support/planFixtures.ts"
import { connectionIntentIn, join, planRestoreIn, pristineZone } from "./SimulatedZone.ts"

const id = "con_a"

/** The warnings about DMARC when a connection leaves that had written one record. */
const warningsAfter = (
  written: string,
  zone: ReadonlyArray<string>,
  answers: Readonly<Record<string, ReadonlyArray<string>>> = {}
): ReadonlyArray<string> => {
  const state = join(pristineZone(zoneOf(...zone)), {
    id: ConnectionId.make(id),
    intent: intentFor(exampleCom, desiredRecords(written))
  })
  const context = { answers: new Map(Object.entries(answers)), others: [] }
  return planRestoreIn({ ...state, context }, connectionIntentIn(state, id)).warnings.filter((warning) =>
    warning.startsWith("dmarc_policy_")
  )
}

describe("a restore compares the DMARC policies", () => {
  test("of names below the host of a policy, for which the highest record above counts", () => {
    const zone = ["_dmarc.b.a 300 TXT v=DMARC1; p=reject"]
    expect(warningsAfter("_dmarc.a 60 TXT v=DMARC1; p=none", zone)).toEqual(["dmarc_policy_strengthened"])
    expect(warningsAfter("_dmarc.a 60 TXT v=DMARC1; p=none", [])).toEqual([])
  })

  test("of a host that loses the alias to a policy of another operator, or gets it back", () => {
    const alias = "_dmarc 60 CNAME policy.example.net"
    const answers = { "policy.example.net TXT": ["v=DMARC1; p=reject"] }
    expect(warningsAfter(alias, [], answers)).toEqual(["dmarc_policy_weakened"])
    expect(warningsAfter("_dmarc 60 NS ns.example.net", [alias], answers)).toEqual(["dmarc_policy_strengthened"])
  })
})
