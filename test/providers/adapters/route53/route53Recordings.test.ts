import { route53Answers, xmlLists } from "../../../../src/providers/adapters/route53/Route53Api.ts"
import { decodeXmlBody } from "../../../../src/providers/xmlBody.ts"
import { zone } from "../DescribedAdapter.ts"
import { recordedScenarios, testRecordedCalls, testRecording } from "../recordingTests.ts"
import { readSet, route53, route53Bodies as bodies, zoneIdOf } from "./route53.ts"

const recordedZone = "fullcr1stal.tk"
const words = { Z040120927RX9CM38HPQQ: zoneIdOf(recordedZone) }
const recording = { ...(await recordedScenarios("route53", words, bodies)), zone: recordedZone }

/** What a zone is besides its name, and the time of a change. */
const tidy = ({ ChangeResourceRecordSetsResponse: made, ListHostedZonesByNameResponse: zones, ...body }: any) => ({
  ...body,
  made: made && { ...made.ChangeInfo, Id: "", SubmittedAt: "" },
  zones: zones?.HostedZones.map(({ Config, Name }: any) => [Name, Config])
})

/** The records that an answer lists, or a request has. */
const readShown = ({ ChangeResourceRecordSetsRequest: request, ListResourceRecordSetsResponse: listed }: any) => {
  const changes = (request?.ChangeBatch.Changes ?? []).map(({ ResourceRecordSet }: any) => ResourceRecordSet)
  return [...(listed?.ResourceRecordSets ?? []), ...changes].flatMap(readSet)
}

testRecording(route53, {
  ...recording,
  readListed: readShown,
  createdBy: ({ requestBody = {} }) => readShown(requestBody).map(({ id }) => id),
  tidy
})

testRecordedCalls({
  adapter: route53,
  recording,
  answers: [
    ["ListHostedZonesByNameResponse", route53Answers.zones, 28],
    ["ListResourceRecordSetsResponse", route53Answers.sets, 59],
    ["ChangeResourceRecordSetsResponse", route53Answers.change, 36]
  ],
  decode: (body, schema) => decodeXmlBody({ text: bodies.encode(body), excerpt: "" }, schema, xmlLists),
  changes: ["address", "alias", "text that comes and goes"],
  tidyPath: (path) => path.replace(/hostedzone\/\w+/, "hostedzone/{id}"),
  // Lexicon adds a comment, and writes a target without the dot at its end, which Route 53 takes for the same.
  tidyBody: (body) => {
    const text = JSON.stringify(body).replace(/"Comment":"[^"]*",/, "")
    return JSON.parse(text.replaceAll(recordedZone, zone).replaceAll('.com."}', '.com"}'))
  }
})
