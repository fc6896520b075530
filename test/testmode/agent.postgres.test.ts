import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { expect } from "bun:test"
import { Effect } from "effect"
import { freshTestModeDatabase, urlOf } from "../persistence/freshDatabase.ts"
import { concurrentTest } from "../support/concurrentTest.ts"
import { issueKey, jsonOf, send, serviceUrl, tenancyOf } from "../support/testApi.ts"
import { issueTestKey, requesterWith, shopRecords, testModeService } from "./testModeService.ts"

/** An agent with the official client, and this API key. */
const agentWith = (key: string) =>
  Effect.gen(function* () {
    const url = new URL("/mcp", yield* serviceUrl)
    const client = new Client({ name: "test-agent", version: "1" })
    const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers: { "x-api-key": key } } })
    yield* Effect.acquireRelease(
      Effect.promise(() => client.connect(transport)),
      () => Effect.promise(() => client.close())
    )
    const call = (name: string, parameters: Record<string, unknown>) =>
      Effect.promise(async () => {
        const { content, isError, structuredContent } = await client.callTool({ name, arguments: parameters })
        return { isError, answer: JSON.parse(JSON.stringify(structuredContent ?? null)), content }
      })
    return { client, call }
  })

/** What a person does who opens a share link: they see the plan, give a credential, and approve. */
const approveAsPerson = (link: string) =>
  Effect.gen(function* () {
    const origin = new URL(yield* serviceUrl).origin
    const post = (path: string, body: object, headers: Record<string, string>) =>
      Effect.flatMap(
        send(path, {
          method: "POST",
          headers: { "content-type": "application/json", origin, "sec-fetch-site": "same-origin", ...headers },
          body: JSON.stringify(body)
        }),
        jsonOf
      )
    const opened = yield* post("/test-mode/v1/share-links/redeem", { code: link.replace(/.*#/, "") }, {})
    const headers = { authorization: `Bearer ${opened.accessToken}` }
    const path = `/v1/connections/${opened.connectionId}`
    const { connection } = yield* Effect.flatMap(send(path, { headers: { ...headers, origin } }), jsonOf)
    return yield* post(
      `${path}/authorization`,
      {
        method: "direct_credential",
        credential: { apiToken: "valid" },
        approvedDigest: connection.plan.digest,
        acknowledge: connection.plan.warnings
      },
      headers
    )
  })

concurrentTest("an agent plans a test domain, a person approves by the link, and the connection becomes active", () =>
  Effect.gen(function* () {
    const url = urlOf(yield* freshTestModeDatabase)
    yield* Effect.gen(function* () {
      const key = yield* issueTestKey(url)
      const { call, client } = yield* agentWith(key)
      const { tools } = yield* Effect.promise(() => client.listTools())
      expect(tools.map(({ name }) => name)).toEqual([
        "check_domain",
        "create_connection",
        "get_connection",
        "list_records",
        "recheck_connection",
        "create_share_link"
      ])
      const desired = { domain: "one-click.test", records: shopRecords }
      expect(yield* call("check_domain", desired)).toMatchObject({
        isError: false,
        answer: { provider: { id: "test-dns" } }
      })
      const { connection, nextStep } = (yield* call("create_connection", desired)).answer
      expect(nextStep).toContain("`create_share_link`")
      expect(connection).toMatchObject({ state: "awaiting_authorization", plan: { digest: expect.any(String) } })
      const link = (yield* call("create_share_link", { connectionId: connection.id })).answer
      expect(link.url).toContain("/connect#dcs_")
      yield* approveAsPerson(link.path)
      const { waitFor } = yield* requesterWith(key)
      yield* waitFor(connection.id, "active")
      const read = (yield* call("get_connection", { connectionId: connection.id })).answer
      expect(read.connection.state).toBe("active")
      const { records } = (yield* call("list_records", { connectionId: connection.id })).answer
      expect(records.map(({ status }: { readonly status: string }) => status)).toEqual(shopRecords.map(() => "present"))
      expect((yield* call("recheck_connection", { connectionId: connection.id })).isError).toBe(false)
    }).pipe(Effect.provide(testModeService(url)))
  }).pipe(Effect.scoped)
)

concurrentTest("a tool needs the scope of its request, and says what is wrong", () =>
  Effect.gen(function* () {
    const url = urlOf(yield* freshTestModeDatabase)
    yield* Effect.gen(function* () {
      const { key } = yield* issueKey(tenancyOf("app", "tenant"), ["connections:read"])
      const { call } = yield* agentWith(key)
      const refused = yield* call("create_connection", { domain: "example.com", records: shopRecords })
      expect([refused.isError, JSON.stringify(refused.content)]).toEqual([
        true,
        expect.stringContaining("insufficient_scope")
      ])
      const missing = yield* call("get_connection", { connectionId: "con_missing" })
      expect([missing.isError, JSON.stringify(missing.content)]).toEqual([true, expect.stringContaining("not_found")])
      const malformed = yield* call("get_connection", {})
      expect([malformed.isError, JSON.stringify(malformed.content)]).toEqual([
        true,
        expect.stringContaining("connectionId")
      ])
      const stranger = yield* send("/mcp", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} })
      })
      expect(stranger.status).toBe(401)
    }).pipe(Effect.provide(testModeService(url)))
  }).pipe(Effect.scoped)
)
