import {
  HttpApi,
  type HttpApiBuilder,
  type HttpApiEndpoint,
  type HttpApiGroup,
  HttpApiMiddleware,
  HttpServerRequest,
  type HttpServerResponse
} from "@effect/platform"
import { Context, Effect, Layer, Option, Redacted, type Schema, SchemaAST } from "effect"
import { make as makeRouter } from "find-my-way-ts"
import { ConnectionAction } from "../../domain/connection/Connection.ts"
import { type AccessRule, EndpointAccess, StatementSharing } from "../contract/securitySchemes.ts"
import { makeDecode } from "./decode.ts"
import { makeEncode } from "./encode.ts"
import type { FoundPath, RequestServices, ServedEndpoint, ServedPath } from "./Exchange.ts"

/** All that the service serves: the endpoints that an API declares, once they are implemented, and the pages. */
export class Endpoints extends Context.Tag("http/Endpoints")<
  Endpoints,
  {
    readonly find: (url: string) => FoundPath | undefined
    /** The commands on a connection whose endpoints allow this. */
    readonly listActions: (isAllowed: (rule: AccessRule) => boolean) => ReadonlyArray<ConnectionAction>
    /** Adds an endpoint; `serveEndpoints` and `servePage` call it. */
    readonly add: (method: string, template: string, endpoint: ServedEndpoint) => void
  }
>() {
  static readonly layer = <Id extends string, Groups extends HttpApiGroup.HttpApiGroup.Any, E, R>(
    api: HttpApi.HttpApi<Id, Groups, E, R>
  ) =>
    Layer.sync(Endpoints, () => {
      const rules = accessRulesOf(api)
      const actions = ConnectionAction.literals.flatMap((action) => {
        const rule = rules.get(endpointOfAction(action))
        return rule === undefined ? [] : [{ action, rule }]
      })
      const router = makeRouter<MutablePath>(routerConfig)
      const paths = new Map<string, MutablePath>()

      const pathAt = (template: string): MutablePath => {
        const path = paths.get(template) ?? { template, endpoints: new Map(), browserMethods: [] }
        if (!paths.has(template)) router.on("GET", `/${template.slice(1)}`, path)
        paths.set(template, path)
        return path
      }

      return {
        find: (url) => {
          const found = router.find("GET", url)
          return found === undefined || !isAsSent(url, found.handler.template)
            ? undefined
            : { path: found.handler, params: found.params, searchParams: found.searchParams }
        },
        listActions: (isAllowed) => actions.filter(({ rule }) => isAllowed(rule)).map(({ action }) => action),
        add: (method, template, endpoint) => {
          const path = pathAt(template)
          path.endpoints.set(method, endpoint)
          if (method === "GET") path.endpoints.set("HEAD", endpoint)
          if (Option.exists(endpoint.access, ({ allowsBrowsers }) => allowsBrowsers)) path.browserMethods.push(method)
        }
      }
    })
}

/** Paths match letter by letter. An id of any length that Bun accepts reaches the schema, which reports what is wrong. */
const routerConfig = {
  caseSensitive: true,
  ignoreTrailingSlash: false,
  ignoreDuplicateSlashes: false,
  maxParamLength: 16_384
}

/**
 * Whether a path matches the template as it was sent. The router would decode it, and end it at a semicolon or `#`:
 * `/%6Detrics` would be `/metrics`, which a proxy in front keeps from the public.
 */
const isAsSent = (url: string, template: string): boolean => {
  const [path = ""] = url.split("?", 1)
  const sent = path.split("/")
  const declared = template.split("/")
  return (
    sent.length === declared.length &&
    declared.every((segment, nth) => (segment.startsWith(":") ? sent[nth] !== "" : segment === sent[nth]))
  )
}

interface MutablePath extends ServedPath {
  readonly endpoints: Map<string, ServedEndpoint>
  readonly browserMethods: Array<string>
}

const endpointOfAction = (action: ConnectionAction): string =>
  action === "update" ? "PATCH /v1/connections/:connectionId" : `POST /v1/connections/:connectionId/${action}`

const accessRulesOf = <Id extends string, Groups extends HttpApiGroup.HttpApiGroup.Any, E, R>(
  api: HttpApi.HttpApi<Id, Groups, E, R>
): ReadonlyMap<string, AccessRule> => {
  const rules = new Map<string, AccessRule>()
  HttpApi.reflect(api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint: { annotations, method, path } }) => {
      const rule = Option.getOrUndefined(Context.getOption(annotations, EndpointAccess))
      if (rule !== undefined) rules.set(`${method} ${path}`, rule)
    }
  })
  return rules
}

/** Serves the endpoints of a group. Requiring more than a request and its middleware have is a type error. */
export const serveEndpoints = <E, Provided, R extends HttpApiMiddleware.HttpApiMiddleware.AnyId>(
  handlers: HttpApiBuilder.Handlers<E, Provided, R>
) =>
  Effect.gen(function* () {
    const { add } = yield* Endpoints
    const services = yield* Effect.context<never>()
    for (const { endpoint: declared, handler } of handlers.handlers) {
      const endpoint = declared as HttpApiEndpoint.HttpApiEndpoint.AnyWithProps
      const { annotations, method, path, successSchema, urlParamsSchema } = endpoint
      const middleware = [...new Set([...handlers.group.middlewares, ...endpoint.middlewares])]
      add(method, path, {
        access: Context.getOption(annotations, EndpointAccess),
        sharesStatements: Context.get(annotations, StatementSharing),
        queryParameters: Option.match(urlParamsSchema, { onNone: () => [], onSome: listFields }),
        isPublic: false,
        authenticate: authenticateBy(middleware, services),
        decode: makeDecode(endpoint),
        // HttpApi has the handler require the middleware, since this provides what it really requires.
        handle: handler as unknown as ServedEndpoint["handle"],
        encode: makeEncode(successSchema)
      })
    }
    return handlers
  })

/** Runs the middleware of the first scheme only: it reads the credential of a request itself, in every scheme. */
const authenticateBy = (
  middleware: ReadonlyArray<HttpApiMiddleware.TagClassAny>,
  services: Context.Context<never>
): ServedEndpoint["authenticate"] => {
  const [tag, ...others] = middleware
  if (tag === undefined) return Effect.succeed(new Map())
  if (others.length > 0) throw new Error("an endpoint has at most one middleware, which authenticates")
  const implementation = services.unsafeMap.get(tag.key)
  const schemes: ReadonlyArray<(credential: Redacted.Redacted) => RunMiddleware> = HttpApiMiddleware.isSecurity(tag)
    ? Object.values(implementation)
    : [() => implementation]
  const run = schemes[0]?.(Redacted.make("")) ?? Effect.void
  return Effect.map(run, (service) => new Map(tag.provides === undefined ? [] : [[tag.provides.key, service]]))
}

export const servePage = <E>(
  path: string,
  respond: (
    request: HttpServerRequest.HttpServerRequest
  ) => Effect.Effect<HttpServerResponse.HttpServerResponse, E, HttpServerRequest.HttpServerRequest>
) => Effect.map(Endpoints, ({ add }) => add("GET", path, pageOf(respond)))

/** A page as an endpoint. */
export const pageOf = <E>(
  respond: (
    request: HttpServerRequest.HttpServerRequest
  ) => Effect.Effect<HttpServerResponse.HttpServerResponse, E, HttpServerRequest.HttpServerRequest>
): ServedEndpoint => ({
  access: Option.none(),
  sharesStatements: false,
  queryParameters: [],
  isPublic: true,
  authenticate: Effect.succeed(new Map()),
  decode: ({ request }) => Effect.succeed(request),
  handle: (request) => respond(request as HttpServerRequest.HttpServerRequest),
  encode: (response) => Effect.succeed(response as HttpServerResponse.HttpServerResponse)
})

type RunMiddleware = Effect.Effect<unknown, unknown, RequestServices>

const listFields = ({ ast }: Schema.Schema.All): ReadonlyArray<string> => {
  const encoded = SchemaAST.encodedAST(ast)
  const maps = SchemaAST.isTypeLiteral(encoded) ? encoded.indexSignatures : []
  return [
    ...SchemaAST.getPropertySignatures(encoded).map(({ name }) => String(name)),
    ...maps.map(({ parameter }) => (SchemaAST.isTemplateLiteral(parameter) ? `${parameter.head}key]` : ""))
  ]
}
