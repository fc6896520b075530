import { Schema } from "effect"
import { optional } from "../values/boundedSchemas.ts"

const text = (description: string) => Schema.String.annotations({ description })

/** A record of a zone, as a customer finds it there. */
export const ReplacedRecord = Schema.Struct({
  host: text("The host, relative to the domain."),
  type: Schema.String,
  value: Schema.String,
  priority: optional(Schema.Int)
}).annotations({ identifier: "ReplacedRecord" })
export type ReplacedRecord = typeof ReplacedRecord.Type

/** What the provider can write by Domain Connect. Its page shows that once more, and asks for consent. */
export const DomainConnectOffer = Schema.Struct({
  providerId: text("Of the template: the service provider."),
  serviceId: text("Of the template: the service."),
  displayName: text("What the DNS provider calls itself."),
  syncUrl: text("Where the pages of the DNS provider begin."),
  zone: text("The zone in which the template is applied."),
  host: text("The labels in front of it; empty for the zone itself."),
  variables: Schema.Record({ key: Schema.String, value: Schema.String }).annotations({
    description: "The values with which the template gives exactly the records of the intent."
  }),
  templateDigest: optional(
    text("Recognizes the template: once the application has another one of these ids, the offer leads nowhere.")
  ),
  groups: Schema.Array(Schema.String).annotations({ description: "The groups of the template that are applied." }),
  adds: optional(
    Schema.Array(ReplacedRecord).annotations({
      description: "What the DNS provider writes besides the changes of the plan: the challenge, which proves control."
    })
  ),
  removes: Schema.Array(ReplacedRecord).annotations({
    description:
      "The present records that the DNS provider would remove, by the rules of Domain Connect, as far as the name servers show them."
  }),
  keeps: optional(
    Schema.Array(ReplacedRecord).annotations({
      description:
        "The other present records that were read, at most 100, which the DNS provider should leave as they are."
    })
  ),
  alsoRemoved: optional(
    Schema.Array(ReplacedRecord).annotations({
      description:
        "Those of `keeps` that the name servers no longer showed once the records of the intent were there. Only the customer can enter them again."
    })
  )
}).annotations({ identifier: "DomainConnectOffer" })
export type DomainConnectOffer = typeof DomainConnectOffer.Type
