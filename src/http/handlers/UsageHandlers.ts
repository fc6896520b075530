import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../contract/Api.ts"
import { ServerCaller } from "../contract/securitySchemes.ts"
import { compileHandlers } from "../server/CompiledRoutes.ts"
import { makeTenantUsageReader } from "./readTenantUsage.ts"

/** Handles the usage of a tenant. */
export const UsageHandlers = HttpApiBuilder.group(
  Api,
  "usage",
  Effect.fnUntraced(function* (handlers) {
    const readUsage = yield* makeTenantUsageReader

    return yield* handlers
      .handle("usage", () => Effect.flatMap(ServerCaller, ({ tenancy }) => readUsage(tenancy)))
      .pipe(compileHandlers)
  })
)
