import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { boundedArray, boundedString } from "../../../domain/values/boundedSchemas.ts"
import { RecordType } from "../../../domain/records/recordTypes.ts"
import { ConnectionBody } from "../connections/ConnectionsApi.ts"
import { oneOf } from "../../contract/defineErrorResponse.ts"
import {
  commandLimited,
  invalidBody,
  connectionNotFound,
  testConflict,
  testEntryConflict,
  unavailable,
  unprocessableTestCall
} from "../../contract/operationErrors.ts"
import { connectionPath, strictParsing } from "../../contract/requestSchemas.ts"
import { allowServers } from "../../contract/securitySchemes.ts"

const HostText = boundedString(254).annotations({
  description: "Relative to the domain, `@` for the domain itself, or its full name."
})

const maxSeconds = 31_536_000

const declareTestCall = <const Name extends string>(name: Name, segment: string) =>
  HttpApiEndpoint.post(name, `/v1/test/connections/:connectionId/${segment}`)
    .setPath(connectionPath)
    .addSuccess(ConnectionBody)
    .addError(oneOf(invalidBody, connectionNotFound, testConflict, unavailable))
    .pipe(allowServers("connections:write"))

/** A test zone as its provider stores it. */
const TestZoneBody = Schema.Struct({
  zone: Schema.String.annotations({ description: "The name of the zone." }),
  records: Schema.Array(
    Schema.Struct({
      name: Schema.String.annotations({ description: "The full name of the host." }),
      type: Schema.String,
      ttl: Schema.Int.annotations({ description: "Time to live in seconds." }),
      values: Schema.Array(Schema.String).annotations({ description: "In the form that `change-records` takes." })
    }).annotations({ identifier: "TestZoneRecordSet" })
  )
}).annotations({ identifier: "TestZoneBody", description: "The zone, with the records of every name and type." })

const readZone = HttpApiEndpoint.get("readZone", "/v1/test/connections/:connectionId/zone")
  .setPath(connectionPath)
  .addSuccess(TestZoneBody)
  .addError(oneOf(connectionNotFound, unavailable))
  .pipe(allowServers("connections:read"))
  .annotate(OpenApi.Identifier, "readTestZone")
  .annotate(OpenApi.Summary, "Test mode: read the zone")
  .annotate(
    OpenApi.Description,
    "The records of the test zone as its provider stores them now, whoever wrote them. Only with an API key of test mode; any other gets 404."
  )

const enterRecords = declareTestCall("enterRecords", "enter-records")
  .addError(oneOf(testEntryConflict, unprocessableTestCall, commandLimited))
  .setPayload(
    Schema.Struct({
      hosts: Schema.optionalWith(
        boundedArray(HostText, { max: 100 }).annotations({
          description: "Enters only the changes at these hosts; without it, all of them."
        }),
        { exact: true }
      )
    }).annotations({ identifier: "EnterRecordsRequest", ...strictParsing })
  )
  .annotate(OpenApi.Identifier, "enterTestRecords")
  .annotate(OpenApi.Summary, "Test mode: enter the records of the plan")
  .annotate(
    OpenApi.Description,
    "Plays the customer who enters the changes of the current plan by hand: they are in the test zone at once, and the name servers are asked again. Answers when they have been, after ten seconds at the latest. Only with an API key of test mode; any other gets 404."
  )

const ForeignRecordSetRequest = Schema.Struct({
  host: HostText,
  type: RecordType,
  values: boundedArray(boundedString(4_096), { max: 100 }).annotations({
    description:
      "All values of this host and type, as in a zone file (`10 mail.example.com` for an MX), a text without quotes; none removes them."
  })
}).annotations({ identifier: "ForeignRecordSet" })

const changeRecords = declareTestCall("changeRecords", "change-records")
  .addError(oneOf(unprocessableTestCall, commandLimited))
  .setPayload(
    Schema.Struct({
      records: boundedArray(ForeignRecordSetRequest, { max: 100 })
    }).annotations({ identifier: "ChangeRecordsRequest", ...strictParsing })
  )
  .annotate(OpenApi.Identifier, "changeTestRecords")
  .annotate(OpenApi.Summary, "Test mode: change the zone as another client")
  .annotate(
    OpenApi.Description,
    "Plays another client that changes or deletes records of the test zone, so that an active connection degrades. The name servers are asked again, and a connection that misses its records degrades at once. Answers when they have been asked, after ten seconds at the latest. Only with an API key of test mode; any other gets 404."
  )

const advance = declareTestCall("advance", "advance")
  .setPayload(
    Schema.Struct({
      seconds: Schema.Int.pipe(
        Schema.between(1, maxSeconds),
        Schema.annotations({
          jsonSchema: {
            type: "integer",
            minimum: 1,
            maximum: maxSeconds,
            description: "How far to move the time of this connection on; a year at most."
          }
        })
      )
    }).annotations({ identifier: "AdvanceRequest", ...strictParsing })
  )
  .annotate(OpenApi.Identifier, "advanceTestTime")
  .annotate(OpenApi.Summary, "Test mode: move time on")
  .annotate(
    OpenApi.Description,
    "All that has happened to this connection and its test zone is as much older: checks and retries of webhooks are due earlier, and plans, credentials, browser tokens and states run out. Answers when a check that is due then has been made, after ten seconds at the latest. Only with an API key of test mode; any other gets 404."
  )

/** The calls by which a platform plays the other parties of test mode. */
export class TestModeApi extends HttpApiGroup.make("testMode")
  .add(readZone)
  .add(enterRecords)
  .add(changeRecords)
  .add(advance)
  .annotate(OpenApi.Title, "Test mode")
  .annotate(
    OpenApi.Description,
    "With an API key that begins with `dck_test_`, all endpoints work in an environment of its own, on domains below `.test` whose names say what happens; no DNS server and no provider is contacted. These endpoints play the customer, another client, and time."
  ) {}
