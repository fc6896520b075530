import { Effect, Option } from "effect"
import type { Tenancy } from "../domain/Tenancy.ts"
import { Fingerprints } from "../security/Fingerprints.ts"

/** What makes a request known again, if its client gave it an `Idempotency-Key`. */
export const idempotencyOf = (
  tenancy: Tenancy,
  { key, ...request }: { readonly route: string; readonly key: string | undefined; readonly body: unknown }
) =>
  Effect.transposeMapOption(Option.fromNullable(key), (key) =>
    Effect.flatMap(Fingerprints, (fingerprints) => fingerprints.of(tenancy, { ...request, key }))
  )
