import { expect, test } from "bun:test"
import { describePlan, desiredRecords, zoneOf } from "../../support/planFixtures.ts"

const hosts = ["customer.example._report._dmarc", "*._report._dmarc"]
const plan = (zone: ReadonlyArray<string>, ...desired: ReadonlyArray<string>) =>
  describePlan({ zone: zoneOf(...zone), desired: desiredRecords(...desired) })

test("the permission to send DMARC reports here is added as it is, and is no policy", () => {
  for (const host of hosts) {
    const { changes, warnings } = plan([], `${host} 300 TXT v=DMARC1`)
    expect([changes, warnings]).toEqual([[`create | ${host} 300 TXT v=DMARC1`], []])
  }
})

test("the permission to send DMARC reports here stands beside one with another address", () => {
  for (const host of hosts) {
    const other = `${host} 300 TXT v=DMARC1; rua=mailto:reports@example.com`
    const { changes, warnings } = plan([other], `${host} 300 TXT v=DMARC1`)
    expect([changes, warnings]).toEqual([[`create | ${host} 300 TXT v=DMARC1`], []])
  }
})
