import { HttpApi, type HttpApiGroup } from "@effect/platform"
import { Array, Context, Layer, Option } from "effect"
import { type AccessRule, EndpointAccess } from "../contract/EndpointAccess.ts"

/** One path and the methods that it answers. */
export interface Route {
  readonly segments: ReadonlyArray<string>
  readonly methods: ReadonlyArray<string>
  /** Whether browsers may call it: it then answers preflights and carries `Vary: Origin`. */
  readonly allowsBrowsers: boolean
  /** Health and docs: answered even while the service drains. */
  readonly isPublic: boolean
}

/** All routes of the service, to say 404 and 405, who may call, and what a browser may. */
export class RouteTable extends Context.Tag("http/RouteTable")<
  RouteTable,
  {
    /** The route of a path, by whole segments: letter case, slashes and dots are not folded. */
    readonly find: (path: string) => Option.Option<Route>
    /** What an endpoint asks of its caller, by method and path template. */
    readonly accessRuleOf: (method: string, template: string) => Option.Option<AccessRule>
  }
>() {
  /** The endpoints of an API as they are annotated, and the plain paths that answer GET to anybody. */
  static readonly layer = <Id extends string, Groups extends HttpApiGroup.HttpApiGroup.Any, E, R>(
    api: HttpApi.HttpApi<Id, Groups, E, R>,
    plainPaths: ReadonlyArray<string>
  ) =>
    Layer.sync(RouteTable, () => {
      const endpoints = [...endpointsOf(api), ...plainPaths.map(plainEndpoint)]
      const accesses = new Map(endpoints.map(({ access, method, path }) => [`${method} ${path}`, access]))
      const routes = Object.entries(Array.groupBy(endpoints, ({ path }) => path)).map(routeOf)
      const byLength = Array.groupBy(routes, ({ segments }) => String(segments.length))
      return {
        find: (path) => {
          const segments = path.split("/")
          return Array.findFirst(byLength[segments.length] ?? [], (route) => fits(route, segments))
        },
        accessRuleOf: (method, template) =>
          Option.flatten(Option.fromNullable(accesses.get(`${method === "HEAD" ? "GET" : method} ${template}`)))
      }
    })
}

/** The methods of a route, as `Allow` names them; HEAD answers wherever GET does. */
export const allowHeaderOf = ({ allowsBrowsers: browser, methods }: Route): string =>
  [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), ...(browser ? ["OPTIONS"] : [])].toSorted().join(", ")

interface Endpoint {
  readonly plain: boolean
  readonly path: string
  readonly method: string
  readonly access: Option.Option<AccessRule>
}

const endpointsOf = <Id extends string, Groups extends HttpApiGroup.HttpApiGroup.Any, E, R>(
  api: HttpApi.HttpApi<Id, Groups, E, R>
): ReadonlyArray<Endpoint> => {
  const found: Array<Endpoint> = []
  HttpApi.reflect(api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint: { annotations, method, path } }) => {
      found.push({ plain: false, path, method, access: Context.getOption(annotations, EndpointAccess) })
    }
  })
  return found
}

const plainEndpoint = (path: string): Endpoint => ({ plain: true, path, method: "GET", access: Option.none() })

const routeOf = ([path, endpoints]: readonly [string, ReadonlyArray<Endpoint>]): Route => ({
  segments: path.split("/"),
  methods: endpoints.map(({ method }) => method),
  allowsBrowsers: endpoints.some(({ access }) => Option.exists(access, ({ allowsBrowsers: browser }) => browser)),
  isPublic: endpoints.every(({ plain }) => plain)
})

const fits = (route: Route, segments: ReadonlyArray<string>): boolean =>
  route.segments.every((segment, at) => segment === segments[at] || (segment.startsWith(":") && segments[at] !== ""))
