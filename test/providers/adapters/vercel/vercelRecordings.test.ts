import { Struct } from "effect"
import { VercelPage } from "../../../../src/providers/adapters/vercel/makeVercelClient.ts"
import { recordedScenarios, testRecordedCalls, testRecording } from "../recordingTests.ts"
import { readShown, validToken, vercel, vercelVendor } from "./vercel.ts"

const recording = { ...(await recordedScenarios("vercel")), zone: "fullcr1stal.tk" }

/** The answers of 2021 lack what the document requires of a domain; times of creation are those of the recording. */
const { document: _, ...undocumented } = vercelVendor

const tidyRecord = (shown: any) => ({
  ...Struct.pick(shown, "id", "name", "ttl", "type", "value"),
  isOfSystem: shown.creator === "system"
})

testRecording(
  { name: "Vercel", vendor: undocumented },
  {
    ...recording,
    headers: { authorization: `Bearer ${validToken}` },
    readListed: (body, zone) => (body?.records ?? []).map((record: unknown) => readShown(zone, record)),
    createdBy: ({ method, responseBody }) => (method === "POST" ? [responseBody.uid] : []),
    order: (one, other) => Number(one.data.created) - Number(other.data.created),
    tidy: (body) => {
      if (body.domain !== undefined) return [body.domain.name, body.domain.intendedNameservers]
      return body.records === undefined ? body : body.records.map(tidyRecord)
    }
  }
)

testRecordedCalls({
  adapter: vercel,
  recording,
  answers: [["records", VercelPage, 54]],
  changes: ["address", "alias", "text that comes and goes"],
  tidyPath: (path) => path.replace(/\/rec_\w+$/, "/{id}"),
  tidyBody: (body) => Struct.omit(body, "ttl")
})
