import { Struct } from "effect"
import { IonosRecord } from "../../../../src/providers/adapters/ionos/IonosRecord.ts"
import { IonosRecords } from "../../../../src/providers/adapters/ionos/makeIonosClient.ts"
import { zone } from "../DescribedAdapter.ts"
import { recordedScenarios, testRecordedCalls, testRecording } from "../recordingTests.ts"
import { ionos, readShown, validKey } from "./ionos.ts"

const recording = await recordedScenarios("ionos")

/** The time of a change is that of the recording. */
const withoutTime = (body: any): unknown => {
  if (Array.isArray(body)) return body.map(withoutTime)
  const { records, ...rest } = body
  return { ...Struct.omit(rest, "changeDate"), ...(records === undefined ? {} : { records: records.map(withoutTime) }) }
}

testRecording(ionos, {
  ...recording,
  zone,
  headers: { "x-api-key": validKey },
  readListed: (body) => (body?.records ?? []).map(readShown),
  createdBy: ({ method, responseBody }) =>
    method === "POST" ? responseBody.map(({ id }: { readonly id: string }) => id) : [],
  tidy: withoutTime
})

testRecordedCalls({
  adapter: ionos,
  recording: { ...recording, zone },
  answers: [
    ["records", IonosRecords, 24],
    ["content", IonosRecord, 31]
  ],
  changes: ["address", "text that comes and goes"],
  tidyPath: (path) => path.replace(/records\/.*$/, "records/{id}"),
  // Lexicon names a priority for each type.
  tidyBody: (body) => (Array.isArray(body) ? body.map((record) => Struct.omit(record, "prio")) : body)
})
