import { Struct } from "effect"
import { PorkbunRecords } from "../../../../src/providers/adapters/porkbun/makePorkbunClient.ts"
import { recordedScenarios, testRecordedCalls, testRecording } from "../recordingTests.ts"
import { porkbun, readShown, validKeys } from "./porkbun.ts"

const recording = { ...(await recordedScenarios("porkbun")), zone: "example.xyz" }

/** Porkbun lists records in an order of its own, and notes that the API does not write. */
const tidy = (body: any): unknown =>
  body.records === undefined
    ? body
    : {
        ...body,
        records: body.records
          .map((record: object) => ({ ...record, notes: null }))
          .toSorted((one: any, other: any) => Number(one.id) - Number(other.id))
      }

testRecording(porkbun, {
  ...recording,
  headers: { "x-api-key": validKeys.apikey, "x-secret-api-key": validKeys.secretapikey },
  readListed: (body) => (body?.records ?? []).map(readShown),
  createdBy: ({ responseBody, url }) => (url.pathname.includes("/dns/create/") ? [String(responseBody.id)] : []),
  tidy
})

testRecordedCalls({
  adapter: porkbun,
  recording,
  answers: [["records", PorkbunRecords, 76]],
  changes: ["address", "alias", "text that comes and goes", "text that is replaced"],
  tidyBody: (body) => Struct.omit(body, ...Object.keys(validKeys))
})
