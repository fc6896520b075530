import { Schema } from "effect"

/** Why a desired record is right or wrong, as far as the servers' answers tell. */
export const DiagnosisCode = Schema.Literal(
  "not_yet",
  "on_its_way",
  "old_value_remains",
  "also_there",
  "doubled_zone",
  "target_doubled",
  "quoted",
  "escaped",
  "wrong_host",
  "wrong_type",
  "two_spf",
  "two_dmarc",
  "truncated",
  "proxied",
  "flattened",
  "only_some_servers",
  "other_zone",
  "parking",
  "blocked_by_caa"
).annotations({ identifier: "DiagnosisCode" })
export type DiagnosisCode = typeof DiagnosisCode.Type

/** A record that servers show, by the full name of its host. */
export const SeenRecord = Schema.Struct({
  name: Schema.String.annotations({ description: "The full name of the host, in A-labels." }),
  type: Schema.String,
  value: Schema.String.annotations({
    description:
      "As it was read, a TXT without the quotes around its strings, and a priority in front; a long value is cut and ends in `…`."
  })
}).annotations({ identifier: "SeenRecord" })
export type SeenRecord = typeof SeenRecord.Type

/** Why a desired record does not count as present yet, and what servers show; absent if nothing is wrong. */
export const Diagnosis = Schema.Struct({
  code: DiagnosisCode,
  seen: Schema.Array(SeenRecord).annotations({
    description: "The records that show it, at most four; none where nothing was found."
  }),
  copy: Schema.optionalWith(
    Schema.String.annotations({
      description:
        "What the customer should enter instead, exactly as the field takes it; empty for a field that stays empty, absent where several fields change."
    }),
    { exact: true }
  ),
  field: Schema.optionalWith(
    Schema.Literal("type", "host", "value", "priority", "weight", "port", "target").annotations({
      description: "The field that takes `copy`, by its name in a guide."
    }),
    { exact: true }
  ),
  servers: Schema.optionalWith(
    Schema.Struct({ showing: Schema.Int, asked: Schema.Int }).annotations({
      description: "How many authoritative servers show the record, of how many that were asked."
    }),
    { exact: true }
  )
})
export type Diagnosis = typeof Diagnosis.Type

/** What the sentence with each diagnosis says. */
export const fixDescription = "A sentence for people: what was seen and what to do."
