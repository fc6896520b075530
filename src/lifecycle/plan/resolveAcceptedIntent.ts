import { Either } from "effect"
import type { Connection } from "../../domain/connection/Connection.ts"
import { type ResolvedIntent, resolveIntent } from "../../domain/connection/Intent.ts"
import { toExactIntent } from "../../planning/verification/compareZone.ts"

/**
 * Resolves the stored intent. If today's rules refuse it, the stored effective intent takes its place, as verification
 * compares it: with what an earlier plan merged, and without omitted optional records.
 */
export const resolveAcceptedIntent = ({
  effectiveIntent,
  intent
}: Pick<Connection, "effectiveIntent" | "intent">): ResolvedIntent =>
  Either.getOrElse(resolveIntent(intent), () => toExactIntent(effectiveIntent))
