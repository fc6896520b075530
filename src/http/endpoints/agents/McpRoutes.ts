import { McpSchema, McpServer } from "@effect/ai"
import { HttpApiError, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { RpcSerialization, RpcServer } from "@effect/rpc"
import { Effect, Either, JSONSchema, Layer, Option, ParseResult, Predicate, Redacted, Schema } from "effect"
import { boundedString, optional } from "../../../domain/values/boundedSchemas.ts"
import { releasePermit } from "../../../limits/ConcurrencyLimiter.ts"
import { serviceInstance } from "../../../runtime/serviceInstance.ts"
import { PublicUrl } from "../../PublicUrl.ts"
import { ApiKeyAuth } from "../../contract/securitySchemes.ts"
import { Endpoints } from "../../pipeline/Endpoints.ts"
import { Exchange, type RequestExchange } from "../../pipeline/Exchange.ts"
import { makePipeline, type Pipeline } from "../../pipeline/pipeline.ts"
import { type AgentTool, agentTools, type ApiCall } from "./agentTools.ts"

/**
 * `/mcp`: a server of the Model Context Protocol by streamable HTTP, for agents with an API key. It keeps no session. A
 * tool is a request to the API with that key, so that it has the scopes, limits, audit entries and errors of the API.
 */
export const McpRoutes = Layer.effectDiscard(
  Effect.gen(function* () {
    const { add } = yield* Endpoints
    const auth = yield* ApiKeyAuth
    const pipeline = yield* makePipeline
    const { referTo } = yield* PublicUrl
    add("POST", "/mcp", {
      // Any key may connect; each tool needs the scope of its request.
      access: Option.none(),
      sharesStatements: false,
      queryParameters: [],
      isPublic: false,
      takesAnyScope: true,
      authenticate: Effect.as(Effect.scoped(auth.apiKey(Redacted.make(""))), new Map()),
      decode: ({ request }) => Effect.succeed({ request }),
      handle: () =>
        Effect.flatMap(Exchange, (exchange) =>
          Effect.flatMap(readMessage(exchange), (message) => respond(message, exchange, { pipeline, referTo }))
        ),
      encode: (response) =>
        HttpServerResponse.isServerResponse(response) ? Effect.succeed(response) : Effect.dieMessage("no response")
    })
  })
)

interface McpServices {
  readonly pipeline: Pipeline
  readonly referTo: (path: string) => string
}

/** A message of JSON-RPC 2.0. Since version 2025-06-18 of MCP there are no batches. */
const RpcMessage = Schema.Struct({
  jsonrpc: Schema.Literal("2.0"),
  id: optional(Schema.Union(boundedString(200), Schema.JsonNumber)),
  method: optional(Schema.String),
  params: optional(Schema.Record({ key: Schema.String, value: Schema.Unknown }))
})
type RpcMessage = typeof RpcMessage.Type

const decodeMessage = Schema.decodeUnknown(RpcMessage)

const readMessage = ({ request }: RequestExchange) =>
  Effect.flatMap(Effect.orDie(request.json), decodeMessage).pipe(
    Effect.catchTag("ParseError", HttpApiError.HttpApiDecodeError.refailParseError)
  )

/** Answers a message. What is no request needs no answer: a notification, or a response, since the server asks nothing. */
const respond = (message: RpcMessage, exchange: RequestExchange, services: McpServices) => {
  const { id, method } = message
  if (id === undefined || method === undefined) return Effect.succeed(HttpServerResponse.empty({ status: 202 }))
  if (!McpSchema.ClientRequestRpcs.requests.has(method)) {
    const error = { code: McpSchema.METHOD_NOT_FOUND_ERROR_CODE, message: "there is no such method" }
    return Effect.succeed(HttpServerResponse.unsafeJson({ jsonrpc: "2.0", id, error }))
  }
  return Effect.gen(function* () {
    // The requests of the tools take permits of their own.
    releasePermit(exchange)
    const { httpApp, protocol } = yield* RpcServer.makeProtocolWithHttpApp
    const server = yield* McpServer.McpServer
    for (const tool of agentTools) {
      yield* server.addTool({
        tool: describeTool(tool),
        handle: (parameters) => call(tool, parameters, exchange, services)
      })
    }
    yield* McpServer.run({ name: "domain-connection-service", version: serviceInstance.version }).pipe(
      Effect.provideService(RpcServer.Protocol, protocol),
      Effect.forkScoped
    )
    return yield* Effect.provideService(httpApp, HttpServerRequest.HttpServerRequest, exchange.request)
  }).pipe(Effect.provide(Layer.merge(McpServer.McpServer.layer, serializationOf(message))), Effect.scoped)
}

/** The server takes numbers as ids only: it gets another one, and the answer that of the client. */
const serializationOf = ({ id, ...message }: RpcMessage) => {
  const jsonRpc = RpcSerialization.jsonRpc()
  return Layer.succeed(RpcSerialization.RpcSerialization, {
    ...jsonRpc,
    unsafeMake: () => {
      const { decode, encode } = jsonRpc.unsafeMake()
      return {
        decode: () => decode(JSON.stringify({ ...message, id: 1 })),
        encode: (answer) => {
          const text = encode(answer)
          return typeof text === "string" ? JSON.stringify({ ...JSON.parse(text), id }) : text
        }
      }
    }
  })
}

const describeTool = ({ description, isReadOnly, name, parameters, title }: AgentTool) =>
  new McpSchema.Tool({
    name,
    title,
    description,
    inputSchema: JSONSchema.make(parameters),
    annotations: new McpSchema.ToolAnnotations({ title, readOnlyHint: isReadOnly, destructiveHint: false })
  })

/** Carries out a tool: sends its requests as the caller of this one, and joins their bodies. */
const call = (tool: AgentTool, parameters: unknown, exchange: RequestExchange, services: McpServices) =>
  Effect.gen(function* () {
    const calls = yield* Either.mapLeft(tool.calls(parameters), ParseResult.TreeFormatter.formatErrorSync)
    const bodies = yield* Effect.forEach(calls, (apiCall) =>
      Effect.flatMap(services.pipeline(toRequest(apiCall, exchange)), readBody)
    )
    const joined: Record<string, unknown> = Object.assign({}, ...bodies)
    // A person opens the link outside of this service.
    if (Predicate.isString(joined["path"])) joined["url"] = services.referTo(joined["path"])
    if (tool.nextStep !== undefined) joined["nextStep"] = tool.nextStep
    return joined
  }).pipe(
    Effect.match({
      onFailure: (message) =>
        new McpSchema.CallToolResult({ isError: true, content: [{ type: "text", text: message }] }),
      onSuccess: (body) =>
        new McpSchema.CallToolResult({
          isError: false,
          structuredContent: body,
          content: [{ type: "text", text: JSON.stringify(body) }]
        })
    })
  )

/** The request of a tool, by the client of the agent's request and under the same id. */
const toRequest = ({ body, headers, method, path }: ApiCall, { id, remoteAddress, request }: RequestExchange) => {
  const json = body === undefined ? undefined : JSON.stringify(body)
  const source = new Request(`http://localhost${path}`, {
    method,
    headers: {
      ...headers,
      "x-api-key": request.headers["x-api-key"] ?? "",
      "x-request-id": id,
      ...(json === undefined
        ? {}
        : { "content-type": "application/json", "content-length": `${Buffer.byteLength(json)}` })
    },
    ...(json === undefined ? {} : { body: json })
  })
  return Object.defineProperty(HttpServerRequest.fromWeb(source), "remoteAddress", { value: remoteAddress })
}

/** The body of a response of the API; fails with the text of an error. */
const readBody = (response: HttpServerResponse.HttpServerResponse): Effect.Effect<object, string> =>
  Effect.flatMap(
    Effect.promise(() => HttpServerResponse.toWeb(response).text()),
    (text) => (response.status < 400 ? Effect.succeed(Object(JSON.parse(text))) : Effect.fail(text))
  )
