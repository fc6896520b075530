import { Either } from "effect"
import type { Connection } from "../../domain/connection/Connection.ts"
import { type ResolvedIntent, resolveIntent } from "../../domain/connection/Intent.ts"
import { toExactIntent } from "../../planning/verification/compareZone.ts"

/**
 * Resolves the stored intent of a connection. An accepted intent stays accepted: if the current rules refuse it, the
 * stored effective intent takes its place, exactly as verification compares it with the zone. The effective intent also
 * holds what an earlier plan merged from the zone, and lacks the optional records that the plan left out.
 */
export const resolveAcceptedIntent = ({
  effectiveIntent,
  intent
}: Pick<Connection, "effectiveIntent" | "intent">): ResolvedIntent =>
  Either.getOrElse(resolveIntent(intent), () => toExactIntent(effectiveIntent))
