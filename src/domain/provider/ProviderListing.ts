import { Schema } from "effect"
import { optional } from "../values/boundedSchemas.ts"

/** What is known of a provider before there is a domain, beside its ways in, its capabilities and its limitations. */
export const ProviderListing = Schema.Struct({
  websitePercent: optional(
    Schema.Number.pipe(Schema.between(0, 100)).annotations({
      description:
        "The share of all websites in per cent, by the survey of W3Techs of September 2026, which counts the brands of a company together."
    })
  ),
  domainConnect: Schema.Boolean.annotations({
    description: "Whether it takes part in Domain Connect: a connection offers that where it has your template."
  }),
  hasGuide: Schema.Boolean.annotations({ description: "Whether the guide for entering by hand has its own words." }),
  dnsPageUrl: optional(
    Schema.String.annotations({
      description: "The page on which its customers edit records; `%domain%` stands for the zone."
    })
  ),
  apexType: optional(
    Schema.Literal("CNAME", "ALIAS", "none").annotations({
      description: "The type that this page takes for an alias at the apex; `none`: addresses only."
    })
  ),
  provenBy: Schema.Array(Schema.Literal("document", "recording", "judge", "trap")).annotations({
    description: "What proves the writes without an account (`docs/provider-evidence.md`); empty without an adapter."
  })
}).annotations({ identifier: "ProviderListing" })
export type ProviderListing = typeof ProviderListing.Type
