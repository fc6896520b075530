import { expect } from "bun:test"
import { Effect, Layer, Option, Redacted, Schedule, Schema } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import packageJson from "../../package.json" with { type: "json" }
import { DomainConnectKeyId } from "../../src/domain/access/DomainConnectKey.ts"
import { ApplicationId } from "../../src/domain/access/Tenancy.ts"
import { Identifiers } from "../../src/domain/values/Identifiers.ts"
import { DomainConnectKeys } from "../../src/security/DomainConnectKeys.ts"
import { environmentOf, runCliHere } from "../cli/commandLine.ts"
import { allStores, freshDatabase, poolOn, urlOf } from "../persistence/freshDatabase.ts"
import { live } from "../support/effectTest.ts"
import { startCollector } from "../support/Collector.ts"
import { masterKey, securityWith } from "../support/masterKeys.ts"
import { startCompiledService } from "../support/serviceProcess.ts"
import { issueAdminKey } from "../support/testApi.ts"
import { temporaryDirectory } from "../support/TestPostgres.ts"
import { SqlClient } from "@effect/sql"

const allScopes = "connections:read,connections:write,tokens:issue,webhooks:read,webhooks:write,audit:read"

const canary = (kind: string) => `canary${kind}${crypto.randomUUID().replaceAll("-", "")}`

/** Every text of every row of all tables, as a dump has it. */
const dumpOf = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`
  const rows = yield* Effect.forEach(
    tables,
    ({ name }) => sql`select t::text as row from ${sql.literal(`${name}`)} as t`
  )
  return rows.flat().map(({ row }) => `${row}`)
})

const liveKeys = securityWith(masterKey(1)).pipe(Layer.provideMerge(Layer.merge(allStores, Identifiers.layer)))

/** Makes a key of Domain Connect as an administrator of live domains does, and reads the middle of its private half. */
const signingKeyOf = (admin: (method: string, path: string, body?: object, key?: string) => Effect.Effect<unknown>) =>
  Effect.gen(function* () {
    const id = { applicationId: ApplicationId.make("signing"), domain: "keys.platform.example", label: "k1" }
    const adminKey = yield* issueAdminKey
    yield* admin("POST", "/v1/admin/applications", { id: id.applicationId }, adminKey)
    yield* admin(
      "PUT",
      `/v1/admin/applications/${id.applicationId}/domain-connect-keys/${id.domain}/${id.label}`,
      undefined,
      adminKey
    )
    const privateKey = yield* Effect.flatMap(DomainConnectKeys, ({ open }) =>
      open(Schema.decodeUnknownSync(DomainConnectKeyId)(id))
    )
    return Redacted.value(Option.getOrThrow(privateKey)).split("\n")[3]
  })

/** A credential of each kind besides one API token, with a marked secret. */
const credentialsOfAllKinds = () => {
  const id = crypto.randomUUID()
  const key = { type: "service_account", client_email: "dns@project.example", project_id: "project-1" }
  return [
    { kind: "tsig_key", name: "key.example.com", algorithm: "hmac-sha256", secret: canary("tsig000000") },
    { kind: "service_account", json: JSON.stringify({ ...key, private_key: canary("account") }) },
    {
      kind: "service_principal",
      tenantId: id,
      clientId: id,
      subscriptionId: id,
      resourceGroup: "dns",
      clientSecret: canary("principal")
    },
    { kind: "api_key_secret", apiKey: canary("apikey"), apiSecret: canary("apisecret") },
    { kind: "username_api_key", username: "somebody", apiKey: canary("userkey") },
    { kind: "access_key_secret", accessKeyId: "AKIAEXAMPLE", secretAccessKey: canary("accesskey") }
  ]
}

live(
  "each request and each change of state is one line of JSON, and no secret is in a log, trace, metric, error or dump",
  () =>
    Effect.gen(function* () {
      const database = yield* freshDatabase
      const collector = yield* startCollector
      const environment = environmentOf(database)
      const json = (...args: ReadonlyArray<string>) =>
        Effect.map(runCliHere(environment, ...args, "--environment", "test", "--json"), ({ out }) => JSON.parse(out))
      const owner = ["--application", "app", "--tenant", "tenant"]
      const { id: keyId, key } = yield* json("keys", "create", ...owner, "--scopes", allScopes)
      const { key: adminKey } = yield* json("admin-keys", "create")

      const oauthSecret = canary("oauthsecret")
      const providersFile = join(temporaryDirectory(), "providers.json")
      writeFileSync(
        providersFile,
        JSON.stringify([{ id: "digitalocean", oauth: { clientId: "client", clientSecret: oauthSecret } }])
      )
      const sealing = masterKey(1)
      const service = yield* startCompiledService({
        DATA_DIR: temporaryDirectory(),
        DATABASE_URL: Redacted.value(urlOf(database)),
        MASTER_KEY: sealing,
        PROVIDERS_FILE: providersFile,
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OUTBOUND_ALLOW: "127.0.0.0/8",
        DNS_RESOLVERS: "127.0.0.1:9",
        LOG_LEVEL: "trace"
      })
      const errors: Array<string> = []
      const send = (
        method: string,
        path: string,
        body?: object,
        headers: Record<string, string> = { "x-api-key": key }
      ) =>
        Effect.promise(async (): Promise<any> => {
          const response = await fetch(`${service.url}${path}`, {
            method,
            redirect: "manual",
            headers: { "content-type": "application/json", ...headers },
            ...(body === undefined ? {} : { body: JSON.stringify(body) })
          })
          const text = await response.text()
          if (!response.ok) errors.push(text)
          return text.startsWith("{") ? JSON.parse(text) : {}
        })
      const webhook = yield* send("POST", "/v1/webhook-endpoints", {
        url: `${collector.url}/hook`,
        eventTypes: ["connection.created", "connection.active"]
      })
      const rotated = yield* send("POST", `/v1/webhook-endpoints/${webhook.endpoint.id}/secret`)
      const intent = {
        domain: "one-click.test",
        records: [{ host: "shop", type: "CNAME", value: "shops.example.net" }]
      }
      const { connection } = yield* send("POST", "/v1/connections", { intent }, { "x-api-key": key, prefer: "wait=10" })
      const path = `/v1/connections/${connection.id}`
      const { accessToken: token } = yield* send("POST", `${path}/access-token`, { origin: "https://shop.example" })
      yield* send("GET", path, undefined, { authorization: `Bearer ${token}`, origin: "https://shop.example" })
      const share = yield* send("POST", `${path}/share-link`)
      const code = /#(.+)$/.exec(share.path ?? "")?.[1] ?? "no code"
      const fromPage = { origin: service.url, "sec-fetch-site": "same-origin" }
      yield* send("POST", "/v1/share-links/redeem", { code }, fromPage)
      // Of another kind than the provider takes.
      const otherCredentials = credentialsOfAllKinds()
      const refusals = yield* Effect.forEach(otherCredentials, (credential) =>
        send("POST", `${path}/authorization`, { method: "direct_credential", credential })
      )
      expect(refusals.map(({ error }) => error.code)).toEqual(otherCredentials.map(() => "credential_kind_mismatch"))
      const providerCredential = canary("credential")
      yield* send("POST", `${path}/authorization`, {
        method: "direct_credential",
        credential: { apiToken: providerCredential }
      })
      const answers: Array<string> = []
      const admin = (method: string, path: string, body?: object, key = adminKey) =>
        Effect.tap(send(method, path, body, { "x-admin-key": key }), (answer) => answers.push(JSON.stringify(answer)))
      yield* admin("GET", "/v1/admin/applications")
      yield* admin("GET", `/v1/admin/connections/${connection.id}`)
      yield* admin("GET", "/v1/admin/connections")
      yield* admin("GET", "/v1/admin/overview")
      yield* send("GET", "/admin", undefined, {})
      yield* admin("PATCH", "/v1/admin/applications/app", {
        recordTemplate: [{ host: "{host}", type: "CNAME", value: "shops.example.net" }]
      })
      const origin = "https://shop.example"
      const { accessToken: entryToken } = yield* send("POST", "/v1/domain-entry/access-token", { origin })
      const enterDomain = (path: string, bearer: string) =>
        send(
          "POST",
          `/v1/domain-entry${path}`,
          { domain: "typed.one-click.test" },
          { authorization: `Bearer ${bearer}`, origin }
        )
      yield* enterDomain("/check", entryToken)
      yield* enterDomain("", entryToken)
      const { path: askPath } = yield* send("POST", "/v1/admin/applications/app/ask-secrets", undefined, {
        "x-admin-key": adminKey
      })
      const askSecret = /dcas_\w+$/.exec(askPath)?.[0]
      yield* send("GET", `${askPath}?domain=shop.one-click.test`, undefined, {})
      const call = (name: string, parameters: object, key: string) =>
        Effect.tap(
          send(
            "POST",
            "/mcp",
            { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: parameters } },
            { "x-api-key": key }
          ),
          (answer) => answers.push(JSON.stringify(answer))
        )
      yield* call("get_connection", { connectionId: connection.id }, key)
      const signing = yield* Effect.provide(signingKeyOf(admin), Layer.provideMerge(liveKeys, poolOn(database)))
      // Secrets where they do not belong.
      const strays = { strayKey: canary("key"), query: canary("query"), path: canary("path"), body: canary("body") }
      yield* send("GET", path, undefined, { "x-api-key": `dck_test_${strays.strayKey}` })
      yield* send("GET", `/v1/domains/allowed/dcas_${strays.path}?domain=a.example`)
      yield* send("GET", `/v1/connections?token=${strays.query}`)
      yield* send("GET", `/v1/oauth/callback?code=${strays.query}&state=${strays.path}`)
      yield* send("POST", `${path}/authorization`, {
        method: "direct_credential",
        credential: { apiToken: strays.body }
      })
      yield* send("POST", "/v1/share-links/redeem", { code: strays.body }, fromPage)
      yield* enterDomain("", `dct_test_${strays.strayKey}`)
      yield* admin(
        "GET",
        `/v1/admin/connections/con_missing?key=${strays.query}`,
        undefined,
        `dcka_test_${strays.strayKey}`
      )
      yield* call("get_connection", { connectionId: connection.id }, `dck_test_${strays.strayKey}`)
      yield* call("create_connection", { domain: "one-click.test", credential: strays.body }, key)

      const linesOf = (message: string) =>
        service
          .log()
          .trim()
          .split("\n")
          .map((line): any => JSON.parse(line))
          .filter((line) => line.message === message)
      yield* Effect.repeat(
        Effect.sync(() => linesOf("State changed")),
        {
          until: (lines) => lines.some(({ annotations }) => annotations.to === "planned"),
          schedule: Schedule.spaced("50 millis")
        }
      )
      const metrics = yield* Effect.promise(() => fetch(`${service.url}/metrics`).then((answer) => answer.text()))
      const dump = yield* Effect.provide(dumpOf, poolOn(database))
      yield* service.end("SIGTERM")

      const common = { logLevel: "INFO", version: packageJson.version, process: expect.stringMatching(/:\d+$/) }
      expect(linesOf("Request")).toContainEqual(
        expect.objectContaining({
          ...common,
          traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
          annotations: {
            environment: "test",
            method: "POST",
            route: "/v1/connections/:connectionId/authorization",
            status: 200,
            durationMillis: expect.any(Number),
            requestId: expect.stringMatching(/^req_/),
            applicationId: "app",
            tenantId: "tenant",
            keyId
          }
        })
      )
      const changes = linesOf("State changed").map(({ annotations: { from, phase, to } }) => [from, to, phase])
      expect(changes.slice(0, 4)).toEqual([
        [undefined, "requested", undefined],
        ["requested", "awaiting_authorization", "discover"],
        ["awaiting_authorization", "authorized", undefined],
        ["authorized", "planned", "provision"]
      ])

      const spanOf = (name: string, nth = 0) => collector.spans.filter((span) => span.name === name)[nth]
      const created = spanOf("POST /v1/connections")
      const authorized = spanOf("POST /v1/connections/:connectionId/authorization", refusals.length)
      for (const [phase, command] of [
        ["phase discover", created],
        ["phase provision", authorized]
      ] as const) {
        expect(spanOf(phase)).toMatchObject({
          traceId: command?.traceId,
          parentSpanId: expect.any(String),
          links: [{ traceId: command?.traceId }],
          attributes: {
            "connection.id": connection.id,
            "tenant.id": "tenant",
            "request.id": command?.attributes["request.id"]
          },
          resource: { "service.version": packageJson.version, "service.instance.id": expect.stringMatching(/:\d+$/) }
        })
      }
      expect(spanOf("phase provision")?.attributes).toMatchObject({ "provider.id": expect.any(String) })
      const roots = collector.spans.filter(({ parentSpanId }) => parentSpanId === undefined).map(({ name }) => name)
      expect(roots.filter((name) => !/^(GET|PATCH|POST|PUT|webhook\.attempt)/.test(name))).toEqual([])

      const password = new URL(Redacted.value(urlOf(database))).password
      const secrets = {
        key,
        adminKey,
        token,
        code,
        oauthSecret,
        providerCredential,
        webhook: webhook.secret,
        rotatedWebhook: rotated.secret,
        masterKey: sealing.slice(2),
        password,
        entryToken,
        askSecret,
        signing,
        ...strays,
        ...Object.fromEntries(
          [...JSON.stringify(otherCredentials).matchAll(/canary[0-9a-z]+/g)].map(([secret], nth) => [
            `other${nth}`,
            secret
          ])
        )
      }
      const places = {
        log: [service.output()],
        traces: collector.bodies,
        metrics: [metrics],
        errors,
        answers,
        dump
      }
      expect(Object.keys(secrets).filter((kind) => kind.startsWith("other"))).toHaveLength(7)
      for (const [place, texts] of Object.entries(places)) {
        expect(texts.join("").length).toBeGreaterThan(100)
        for (const [kind, secret] of Object.entries(secrets)) {
          expect([kind, typeof secret, `${secret}`.length > 10]).toEqual([kind, "string", true])
          expect([place, kind, texts.filter((text) => text.includes(secret))]).toEqual([place, kind, []])
        }
      }
    })
)
