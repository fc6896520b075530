import { expect } from "bun:test"
import { Effect, Layer, type Scope } from "effect"
import { initialRecords, scriptedProvider } from "../../lifecycle/phases/scriptedProvider.ts"
import { live } from "../../support/effectTest.ts"
import { issueKey, jsonOf, post, storesInMemory, tenancyOf } from "../../support/testApi.ts"
import { apiWithLifecycle } from "../support/apiWithLifecycle.ts"

type AgentServices = Layer.Layer.Success<ReturnType<typeof apiWithLifecycle>>

const withApi = (name: string, body: Effect.Effect<unknown, unknown, AgentServices | Scope.Scope>) =>
  live(name, () =>
    Effect.provide(body, Layer.provideMerge(apiWithLifecycle(scriptedProvider(...initialRecords)), storesInMemory))
  )

/** Sends bodies to `/mcp` with one API key. */
const openMcp = Effect.map(
  issueKey(tenancyOf("app", "tenant")),
  ({ key }) =>
    (body: unknown) =>
      post("/mcp", key, body)
)

const request = (id: unknown, method: string, params: object = {}) => ({ jsonrpc: "2.0", id, method, params })

withApi(
  "anything but one message of JSON-RPC is refused like every body that does not fit",
  Effect.gen(function* () {
    const send = yield* openMcp
    const listTools = request(1, "tools/list")
    for (const body of [
      1,
      {},
      null,
      [],
      [null],
      [listTools, request(2, "tools/list")],
      { ...listTools, jsonrpc: "1.0" },
      { ...listTools, id: { a: 1 } },
      { ...listTools, id: null },
      { ...listTools, id: "a".repeat(1_000) },
      { ...listTools, method: 7 },
      { ...listTools, params: "text" }
    ]) {
      const refused = yield* send(body)
      expect([body, refused.status, (yield* jsonOf(refused)).error.code]).toEqual([body, 400, "invalid_request"])
    }
  })
)

withApi(
  "an answer has the id of its request, whatever an id may be, also when there is no such method",
  Effect.gen(function* () {
    const send = yield* openMcp
    for (const id of [0, 7, -1, 1.5, "7", "a1b2-c3", "__proto__", ""]) {
      const listed = yield* Effect.flatMap(send(request(id, "tools/list")), jsonOf)
      expect([listed.id, listed.result.tools.length]).toEqual([id, 6])
      for (const method of ["plans/approve", "@effect/rpc/Ping", "toString"])
        expect(yield* Effect.flatMap(send(request(id, method)), jsonOf)).toEqual({
          jsonrpc: "2.0",
          id,
          error: { code: -32601, message: "there is no such method" }
        })
    }
  })
)

withApi(
  "parameters that a method does not take are an error of JSON-RPC",
  Effect.gen(function* () {
    const send = yield* openMcp
    for (const [method, params] of [
      ["tools/call", {}],
      ["tools/call", { name: 7 }],
      ["initialize", {}],
      ["prompts/get", { name: "x" }]
    ] as const) {
      const answer = yield* send(request("a", method, params))
      const body = yield* jsonOf(answer)
      expect([method, answer.status, body.id, body.error.code]).toEqual([method, 200, "a", expect.any(Number)])
    }
  })
)

withApi(
  "what needs no answer gets none",
  Effect.gen(function* () {
    const send = yield* openMcp
    for (const body of [
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", method: "tools/list" },
      { jsonrpc: "2.0", method: "@effect/rpc/Interrupt", params: { requestId: "1" } },
      { jsonrpc: "2.0", id: 1, result: {} },
      { jsonrpc: "2.0", id: 1, error: { code: -1, message: "no" } }
    ]) {
      const accepted = yield* send(body)
      expect([body, accepted.status, yield* Effect.promise(() => accepted.text())]).toEqual([body, 202, ""])
    }
  })
)

withApi(
  "no tool approves, takes a credential or disconnects, and none reaches another path by an id",
  Effect.gen(function* () {
    const send = yield* openMcp
    const call = (name: string, parameters: object) =>
      Effect.flatMap(send(request(1, "tools/call", { name, arguments: parameters })), jsonOf)
    for (const name of ["approve_plan", "authorize", "disconnect", "toString"])
      expect((yield* call(name, { connectionId: "con_x" })).error.code).toBe(-32602)
    for (const connectionId of ["../../healthz", "con_x/approve", "con_x%2Fapprove", "con_x?include=x", "con_../x"])
      for (const name of ["get_connection", "recheck_connection", "create_share_link"]) {
        const { result } = yield* call(name, { connectionId })
        expect([result.isError, result.content[0].text]).toEqual([true, expect.stringContaining("not_found")])
      }
  })
)
