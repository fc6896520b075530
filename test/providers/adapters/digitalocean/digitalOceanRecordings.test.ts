import { Schema } from "effect"
import { DomainRecord } from "../../../../src/providers/adapters/digitalocean/DomainRecord.ts"
import { DomainRecordPage } from "../../../../src/providers/adapters/digitalocean/makeDigitalOceanClient.ts"
import { recordedScenarios, testRecordedCalls, testRecording } from "../recordingTests.ts"
import { digitalOcean, readShown, validToken } from "./digitalOcean.ts"

const recording = {
  ...(await recordedScenarios("digitalocean")),
  zone: "foxwoodswebsites.com",
  headers: { authorization: `Bearer ${validToken}` }
}

testRecording(digitalOcean, {
  ...recording,
  readListed: (body, zone) => (body?.domain_records ?? []).map((record: unknown) => readShown(record, zone)),
  order: (one, other) => Number(one.id) - Number(other.id),
  createdBy: ({ method, responseBody }) => (method === "POST" ? [String(responseBody.domain_record.id)] : []),
  // The zone file is only for people to read, and the recorded ones are of other moments.
  tidy: (body) => (body.domain === undefined ? body : { domain: { ...body.domain, zone_file: undefined } })
})

testRecordedCalls({
  adapter: digitalOcean,
  recording,
  answers: [
    ["domain_records", DomainRecordPage, 98],
    ["domain_record", Schema.Struct({ domain_record: DomainRecord }), 13]
  ],
  changes: ["text that comes and goes", "text that is replaced"]
})
