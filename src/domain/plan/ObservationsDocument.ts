import { Schema, Struct } from "effect"
import { optional } from "../values/boundedSchemas.ts"
import { Diagnosis, fixDescription } from "./Diagnosis.ts"
import { describeDiagnosis, type DiagnosedConnection } from "./describeDiagnosis.ts"
import { ManualGuide } from "./ManualGuide.ts"
import { ChangeRecordDocument, makeNaming, RecordDocument } from "./NamedRecord.ts"
import { Observations, RecordObservation } from "./RecordObservation.ts"

const DiagnosisDocument = Schema.Struct({
  ...Diagnosis.fields,
  fix: Schema.String.annotations({ description: fixDescription })
}).annotations({ identifier: "Diagnosis" })
type DiagnosisDocument = typeof DiagnosisDocument.Encoded

const RecordObservationDocument = Schema.Struct({
  ...Struct.omit(RecordObservation.fields, "wasBeside"),
  expected: RecordDocument,
  diagnosis: optional(DiagnosisDocument)
}).annotations({ identifier: "RecordObservation" })

/** The answers of the servers, as the API sends them. */
export const ObservationsDocument = Schema.Struct({
  ...Struct.omit(Observations.fields, "removals"),
  records: Schema.Array(RecordObservationDocument),
  toRemove: optional(Schema.Array(ChangeRecordDocument)),
  guides: optional(
    Schema.Array(ManualGuide).annotations({
      description: "How to make the changes by hand, one guide for each provider; absent where nothing is to be done."
    })
  )
}).annotations({
  identifier: "ObservationsBody",
  description:
    "What the servers answer. `toRemove` lists existing records that must be removed, without the addresses of a proxy, absent if unknown; `failure` is why the zone could not be found."
})
export type ObservationsDocument = typeof ObservationsDocument.Encoded

/** Adds names to the records that were expected and found. */
export const toObservationsDocument = (
  { records, toRemove, ...observations }: typeof Observations.Encoded,
  connection: DiagnosedConnection
): ObservationsDocument => {
  const addNames = makeNaming(connection.effectiveIntent.domain, connection.plan?.zone)
  return {
    records: records.map(({ diagnosis, expected, ...observation }) => ({
      ...Struct.omit(observation, "wasBeside"),
      expected: addNames(expected),
      ...(diagnosis === undefined
        ? {}
        : { diagnosis: { ...diagnosis, fix: describeDiagnosis(diagnosis, expected, connection) } })
    })),
    ...(toRemove === undefined ? {} : { toRemove: toRemove.map(addNames) }),
    ...Struct.omit(observations, "removals")
  }
}
