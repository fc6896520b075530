import { HttpRouter, HttpServerRequest } from "@effect/platform"
import { Context, Effect } from "effect"
import { maxErrorDetails, suggestName, toJsonPointer } from "../../domain/ErrorDetail.ts"
import { InvalidRequest } from "../contract/errorResponses.ts"
import type { RouteTable } from "./RouteTable.ts"

/**
 * Requires that the endpoint of a request declares each of its query parameters, which HttpApi would ignore otherwise; dies
 * with `InvalidRequest`, which every endpoint declares.
 */
export const requireKnownParameters = (
  routes: Pick<typeof RouteTable.Service, "queryParametersOf">
): Effect.Effect<void, never, HttpServerRequest.ParsedSearchParams | HttpRouter.RouteContext> =>
  Effect.withFiberRuntime(({ currentContext }) => {
    const parameters = Object.keys(Context.unsafeGet(currentContext, HttpServerRequest.ParsedSearchParams))
    if (parameters.length === 0) return Effect.void
    const { method, path } = Context.unsafeGet(currentContext, HttpRouter.RouteContext).route
    const known = routes.queryParametersOf(method, path)
    const unknown = parameters.filter((name) => !known.includes(name.replace(/^([^[]+)\[.+\]$/s, "$1[key]")))
    return unknown.length > 0 ? Effect.die(makeUnknownParameters(unknown, known)) : Effect.void
  })

const makeUnknownParameters = (unknown: ReadonlyArray<string>, known: ReadonlyArray<string>) =>
  InvalidRequest.of(
    unknown.slice(0, maxErrorDetails).map((name) => {
      const suggestion = suggestName(name, known)
      return {
        pointer: toJsonPointer([name]),
        code: "unknown_parameter",
        message: `${quote(name)} is no query parameter here; ${known.length === 0 ? "there are none" : `there are ${known.join(", ")}`}`,
        ...(suggestion === undefined ? {} : { suggestion })
      }
    }),
    unknown.length
  )

/** Cut, and with escapes for what is not plain text. */
const quote = (name: string): string =>
  JSON.stringify(
    name
      .slice(0, 40)
      .replaceAll(/\p{Cc}/gu, "")
      .toWellFormed()
  )
