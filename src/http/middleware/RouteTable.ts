import {
  HttpApi,
  type HttpApiGroup,
  HttpLayerRouter,
  type HttpServerRequest,
  type HttpServerResponse
} from "@effect/platform"
import { Array, Context, Effect, Layer, Option, type Schema, SchemaAST } from "effect"
import { type AccessRule, EndpointAccess, StatementSharing } from "../contract/securitySchemes.ts"

/** One path and the methods that it answers. */
export interface Route {
  readonly segments: ReadonlyArray<string>
  readonly methods: ReadonlyArray<string>
  /** The methods whose endpoints declare `StatementSharing`. */
  readonly sharingMethods: ReadonlyArray<string>
  /** The methods that browsers may call: if there are any, the path answers preflights and sends `Vary: Origin`. */
  readonly browserMethods: ReadonlyArray<string>
  /** Whether it answers GET without authentication, even while the service drains: health, documents, pages. */
  readonly isPublic: boolean
}

/** All routes of the service: which paths and methods exist, and who may call them. */
export class RouteTable extends Context.Tag("http/RouteTable")<
  RouteTable,
  {
    /** Finds the route of a path by whole segments; letter case, slashes and dots are not normalized. */
    readonly find: (path: string) => Route | undefined
    /** The access rule of an endpoint, by method and path template. */
    readonly accessRuleOf: (method: string, template: string) => Option.Option<AccessRule>
    /** The names of the query parameters that an endpoint declares, by method and path template; `name[key]` stands for every key. */
    readonly queryParametersOf: (method: string, template: string) => ReadonlyArray<string>
    /** Adds a path that answers GET without authentication; `addPublicRoute` calls it. */
    readonly addPublicPath: (path: string) => void
  }
>() {
  /** Starts with the endpoints of an API; the public paths are added with their routes. */
  static readonly layer = <Id extends string, Groups extends HttpApiGroup.HttpApiGroup.Any, E, R>(
    api: HttpApi.HttpApi<Id, Groups, E, R>
  ) =>
    Layer.sync(RouteTable, () => {
      const endpoints = endpointsOf(api)
      const declared = new Map(endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint]))
      const find = (method: string, template: string) =>
        Option.fromNullable(declared.get(`${method === "HEAD" ? "GET" : method} ${template}`))
      const routesByLength = new Map<number, ReadonlyArray<Route>>()
      const add = (route: Route) => {
        const { length } = route.segments
        routesByLength.set(length, [...(routesByLength.get(length) ?? []), route])
      }
      Object.entries(Array.groupBy(endpoints, ({ path }) => path))
        .map(routeOf)
        .forEach(add)
      return {
        find: (path) => {
          const segments = path.split("/")
          return routesByLength.get(segments.length)?.find((route) => matches(route, segments))
        },
        accessRuleOf: (method, template) => Option.flatMap(find(method, template), ({ access }) => access),
        queryParametersOf: (method, template) =>
          Option.match(find(method, template), { onNone: () => [], onSome: ({ queryParameters }) => queryParameters }),
        addPublicPath: (path) =>
          add({
            segments: path.split("/"),
            methods: ["GET"],
            sharingMethods: [],
            browserMethods: [],
            isPublic: true
          })
      }
    })
}

/** Adds a route that answers GET without authentication, to the router and to the route table. */
export const addPublicRoute = <E, R>(
  path: HttpLayerRouter.PathInput,
  handler:
    | Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
    | ((request: HttpServerRequest.HttpServerRequest) => Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>)
) =>
  Effect.gen(function* () {
    const router = yield* HttpLayerRouter.HttpRouter
    const routes = yield* RouteTable
    routes.addPublicPath(path)
    yield* router.add("GET", path, handler)
  })

/** The methods of a route as `Allow` lists them; HEAD answers wherever GET does. */
export const allowHeaderOf = ({ browserMethods, methods }: Route): string =>
  [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), ...(browserMethods.length > 0 ? ["OPTIONS"] : [])]
    .toSorted()
    .join(", ")

interface DeclaredEndpoint {
  readonly path: string
  readonly method: string
  readonly access: Option.Option<AccessRule>
  readonly canShareStatements: boolean
  readonly queryParameters: ReadonlyArray<string>
}

const endpointsOf = <Id extends string, Groups extends HttpApiGroup.HttpApiGroup.Any, E, R>(
  api: HttpApi.HttpApi<Id, Groups, E, R>
): ReadonlyArray<DeclaredEndpoint> => {
  const endpoints: Array<DeclaredEndpoint> = []
  HttpApi.reflect(api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint: { annotations, method, path, urlParamsSchema } }) => {
      endpoints.push({
        path,
        method,
        access: Context.getOption(annotations, EndpointAccess),
        canShareStatements: Context.get(annotations, StatementSharing),
        queryParameters: Option.match(urlParamsSchema, { onNone: () => [], onSome: listFields })
      })
    }
  })
  return endpoints
}

const listFields = ({ ast }: Schema.Schema.All): ReadonlyArray<string> => {
  const encoded = SchemaAST.encodedAST(ast)
  const maps = SchemaAST.isTypeLiteral(encoded) ? encoded.indexSignatures : []
  return [
    ...SchemaAST.getPropertySignatures(encoded).map(({ name }) => String(name)),
    ...maps.map(({ parameter }) => (SchemaAST.isTemplateLiteral(parameter) ? `${parameter.head}key]` : ""))
  ]
}

const routeOf = ([path, endpoints]: readonly [string, ReadonlyArray<DeclaredEndpoint>]): Route => ({
  segments: path.split("/"),
  methods: endpoints.map(({ method }) => method),
  sharingMethods: endpoints.flatMap(({ method, canShareStatements }) => (canShareStatements ? [method] : [])),
  browserMethods: endpoints.flatMap(({ access, method }) =>
    Option.exists(access, ({ allowsBrowsers }) => allowsBrowsers) ? [method] : []
  ),
  isPublic: false
})

const matches = (route: Route, segments: ReadonlyArray<string>): boolean =>
  route.segments.every(
    (segment, index) => segment === segments[index] || (segment.startsWith(":") && segments[index] !== "")
  )
