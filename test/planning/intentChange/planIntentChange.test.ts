import { expect, test } from "bun:test"
import { Either } from "effect"
import { ConnectionId } from "../../../src/domain/Connection.ts"
import { describeChange, desiredRecords, exampleCom, intentFor, zoneOf } from "../../support/planFixtures.ts"
import { join, planIntentChangeIn, pristineZone } from "../restore/SimulatedZone.ts"

const id = ConnectionId.make("con_changed")

const intentOf = (line: string) => intentFor(exampleCom, desiredRecords(line))

test("an intent that changes the spelling of its DKIM key loses no key", () => {
  const connected = join(pristineZone(zoneOf()), { id, intent: intentOf("s1._domainkey 300 TXT v=DKIM1; p=AAAA") })
  const { changes, warnings } = Either.getOrThrow(
    planIntentChangeIn(connected, id, intentOf("s1._domainkey 300 TXT v=DKIM1;p=AAAA"))
  )
  expect([changes.map(describeChange), warnings]).toEqual([
    ["update | s1._domainkey 300 TXT v=DKIM1; p=AAAA | s1._domainkey 300 TXT v=DKIM1;p=AAAA"],
    []
  ])
})
