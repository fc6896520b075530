import { GandiSets } from "../../../../src/providers/adapters/gandi/makeGandiClient.ts"
import { recordedScenarios, testRecordedCalls, testRecording } from "../recordingTests.ts"
import { gandi, readShown, validToken } from "./gandi.ts"

const recording = { ...(await recordedScenarios("gandi")), zone: "t18s.fr" }

testRecording(gandi, {
  ...recording,
  headers: { authorization: `Apikey ${validToken}` },
  readListed: (body, zone) =>
    [body ?? []].flat().flatMap((shown) => (shown.rrset_values === undefined ? [] : readShown(shown, zone))),
  createdBy: ({ method, requestBody, url }) => {
    const [type, name] = url.pathname.split("/").toReversed()
    return method === "POST" || method === "PUT"
      ? requestBody.rrset_values.map((value: string) => `${name} ${type} ${type === "TXT" ? `"${value}"` : value}`)
      : []
  }
})

testRecordedCalls({
  adapter: gandi,
  recording,
  answers: [["0", GandiSets, 1]],
  changes: ["address", "text that comes and goes"],
  // The adapter sends texts in quotes, in which Gandi shows them; Lexicon sends them without.
  tidyBody: ({ rrset_values, ...rest }) => ({
    ...rest,
    ...(rrset_values === undefined
      ? {}
      : { rrset_values: rrset_values.map((value: string) => value.replaceAll('"', "")) })
  })
})
