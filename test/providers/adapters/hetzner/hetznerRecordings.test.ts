import { hetznerAnswers } from "../../../../src/providers/adapters/hetzner/HetznerApi.ts"
import { toAbsoluteName } from "../../../support/vendors/VendorZones.ts"
import { recordedScenarios, testRecordedCalls, testRecording } from "../recordingTests.ts"
import { hetzner, type HetznerData, hetznerWith, validToken } from "./hetzner.ts"

const recording = { ...(await recordedScenarios("hetzner")), zone: "devcoop.de" }

testRecording(hetznerWith({ actionMillis: 1000 }), {
  ...recording,
  headers: { authorization: `Bearer ${validToken}` },
  // Only one list shows the whole zone: the others show what their scenario has created.
  readListed: ({ rrsets = [] }, zone) =>
    (rrsets.length === 1 ? [] : rrsets).flatMap(({ name: host, records, ttl, type }: any) =>
      records.map((data: HetznerData) => ({
        id: `${host} ${type} ${data.value}`,
        name: toAbsoluteName(host, zone),
        type,
        ttl: ttl ?? 0,
        data
      }))
    ),
  createdBy: () => [],
  before: (fake, { responseBody: { action } }) => {
    if (action?.status === "running") fake.update((state) => ({ ...state, nextId: action.id }))
    if (action?.status === "success") fake.advance("1 second")
  },
  // Times, the progress of an action, and what the zone had that day.
  tidy: ({ action, zone, ...rest }) => ({
    ...rest,
    ...(action && { action: { ...action, progress: 0, started: "", finished: action.finished && "" } }),
    ...(zone && { zone: { ...zone, created: "", record_count: 0, authoritative_nameservers: {} } })
  })
})

testRecordedCalls({
  adapter: hetzner,
  recording,
  answers: [
    ["zone", hetznerAnswers.zone, 22],
    ["rrsets", hetznerAnswers.sets, 40],
    ["action", hetznerAnswers.action, 297]
  ],
  changes: [
    "address",
    "alias",
    "text that another one replaces",
    "text that comes and goes",
    "text beside another that goes"
  ],
  // Lexicon writes a target without a dot at its end, which is below the zone.
  tidyBody: (body) => JSON.parse(JSON.stringify(body).replaceAll('.com."', '.com"'))
})
