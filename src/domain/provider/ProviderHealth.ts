import { Schema } from "effect"
import { optional } from "../values/boundedSchemas.ts"

/** How the recent calls of a provider went, as one process has made them. */
export const ProviderHealth = Schema.Struct({
  windowSeconds: Schema.Int.annotations({ description: "How long a call counts as recent." }),
  calls: Schema.Int.annotations({ description: "The recent calls, at most 1,000." }),
  errorRate: Schema.Number.pipe(Schema.between(0, 1)).annotations({
    description: "The share of them that failed, from 0 to 1: no answer, or an error of the provider's own (5xx)."
  }),
  medianMillis: optional(Schema.Int.annotations({ description: "How long half of the answers took at most." })),
  slowMillis: optional(Schema.Int.annotations({ description: "How long 95 % of the answers took at most." })),
  circuit: Schema.Literal("closed", "open").annotations({
    description:
      "`open` while the last call of at least three connections, and of half of all that called, failed: other ways than the provider's API come first."
  })
}).annotations({ identifier: "ProviderHealth" })
export type ProviderHealth = typeof ProviderHealth.Type
