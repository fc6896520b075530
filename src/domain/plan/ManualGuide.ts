import { Schema } from "effect"
import { optional } from "../values/boundedSchemas.ts"
import { ChangeRecordDocument } from "./NamedRecord.ts"

/** What the customer has to know besides the fields, if it is known of the provider. */
export const GuideHint = Schema.Literal(
  "create_subdomain_first",
  "delete_parking_records",
  "turn_proxy_off",
  "dns_only",
  "save_and_publish",
  "confirm_checkbox",
  "second_factor",
  "choose_custom_mail",
  "apex_alias",
  "apex_addresses",
  "apex_redirect",
  "find_who_runs_name_servers"
).annotations({ identifier: "GuideHint" })
export type GuideHint = typeof GuideHint.Type

const Hints = Schema.Array(Schema.Struct({ code: GuideHint, message: Schema.String }))

/** One field of the provider's page, and exactly what it takes. */
const ManualField = Schema.Struct({
  field: Schema.Literal("type", "host", "value", "priority", "ttl", "service", "protocol", "weight", "port", "target"),
  label: optional(
    Schema.String.annotations({ description: "The label as the provider's page shows it; absent where it is unknown." })
  ),
  value: Schema.String.annotations({ description: "What the field takes; an empty text: leave the field empty." }),
  isChoice: optional(
    Schema.Boolean.annotations({
      description: "`true` where the page has a list to choose it from, and takes no text."
    })
  ),
  alternative: optional(
    Schema.String.annotations({ description: "The other form, where it is unknown which one the field takes." })
  )
}).annotations({ identifier: "ManualField" })
export type ManualField = typeof ManualField.Type

/** One thing to do at the provider: a record to add, to change or to remove. */
const ManualTask = Schema.Struct({
  action: Schema.Literal("add", "change", "remove"),
  record: ChangeRecordDocument,
  removes: Schema.Array(ChangeRecordDocument).annotations({
    description: "The records that this one replaces: the customer changes or deletes them first."
  }),
  fields: Schema.Array(ManualField).annotations({ description: "In the order of the provider's page." }),
  hints: Hints,
  isDone: Schema.Boolean.annotations({
    description:
      "Whether every server of the provider shows it by the last check, and nothing that it removes. Where several providers serve the zone and nobody can tell at which one a removed record remains, it is `false` until the record is gone everywhere."
  })
}).annotations({ identifier: "ManualTask" })
export type ManualTask = typeof ManualTask.Type

/** How to make the changes by hand at one provider. */
export const ManualGuide = Schema.Struct({
  provider: optional(Schema.Struct({ id: Schema.String, name: Schema.String })),
  nameServers: Schema.Array(Schema.String).annotations({
    description: "Those of the domain that are this provider's; none where they are not known yet."
  }),
  dnsPageUrl: optional(
    Schema.String.annotations({
      description: "The page with the records; of this very domain where the provider has an address for that."
    })
  ),
  loginUrl: optional(Schema.String),
  helpUrl: optional(Schema.String.annotations({ description: "The provider's own page about records." })),
  path: optional(
    Schema.Array(Schema.String).annotations({ description: "The menu entries that lead to the records, in order." })
  ),
  addButton: optional(Schema.String),
  publishButton: optional(
    Schema.String.annotations({
      description: "The last button of the page, without which nothing that was saved counts."
    })
  ),
  servedWithinMinutes: optional(
    Schema.Int.annotations({
      description: "How long the provider says that it takes at most until its servers answer with a change."
    })
  ),
  hints: Hints,
  tasks: Schema.Array(ManualTask).annotations({ description: "In an order in which they are safe to do." })
}).annotations({ identifier: "ManualGuide" })
export type ManualGuide = typeof ManualGuide.Type
