import { OpenApi } from "@effect/platform"
import { expect } from "bun:test"
import { Effect, Schema } from "effect"
import { Connection } from "../../../src/domain/connection/Connection.ts"
import { Observations } from "../../../src/domain/plan/RecordObservation.ts"
import { Api } from "../../../src/http/endpoints/Api.ts"
import { errorCodes } from "../../../src/http/contract/errorResponses.ts"
import { codesIn, resolveResponse } from "../../support/documentedErrors.ts"
import { live, withLayer } from "../../support/effectTest.ts"
import { apiInMemory, get, issueKey, jsonOf, post, sampleIntent, send } from "../../support/testApi.ts"
import { connection, endpoints } from "./declaredEndpoints.ts"
import { declaredParameters } from "./declaredParameters.ts"
import { withCommonErrors } from "./declaredErrorBodies.ts"

const committedDocument: Effect.Effect<any> = Effect.promise(() =>
  Bun.file(new URL("../../../docs/openapi.json", import.meta.url)).json()
)

/** The table of error codes in decision 2: one row for one or more statuses. */
const documentedErrorCodes = Effect.map(
  Effect.promise(() =>
    Bun.file(
      new URL(
        "../../../docs/decisions/0002-every-error-has-one-body-and-each-endpoint-seven-answers.md",
        import.meta.url
      )
    ).text()
  ),
  (text) =>
    [...text.matchAll(/^\| ([0-9, ]+?) +\| (`.*) +\|$/gm)].map(([, statuses = "", codes = ""]) => ({
      statuses: statuses.split(", ").map(Number),
      codes: [...codes.matchAll(/`(\w+)`/g)].map(([, code]) => code)
    }))
)

const served = Effect.flatMap(send("/openapi.json"), jsonOf)

const schemaOf = (body: any) => Object.values<any>(body.content ?? {})[0]?.schema

/** The schema of a response, or the reference to one that operations share. */
const shownSchemaOf = ({ $ref, ...response }: any) => ($ref === undefined ? schemaOf(response) : { $ref })

/** Whether a parameter has a description in a full sentence. */
const hasDescription = (parameter: any) =>
  /^[A-Z`].*\.$/.test(parameter.description ?? parameter.schema.description ?? "")

withLayer("the OpenAPI document", apiInMemory(), (live) => {
  live("is docs/openapi.json, as the API declares it; after an intended change, run `bun run openapi`", () =>
    Effect.gen(function* () {
      const declared: unknown = JSON.parse(JSON.stringify(OpenApi.fromApi(Api)))
      expect(yield* committedDocument).toEqual(declared)
      expect(yield* served).toEqual(declared)
    })
  )

  live("is OpenAPI 3.1 and names the service", () =>
    Effect.gen(function* () {
      const { info, openapi } = yield* served
      expect(openapi).toBe("3.1.0")
      expect(info).toMatchObject({ title: "Domain Connection Service", version: "1" })
    })
  )

  live("has exactly the endpoints of the contract", () =>
    Effect.gen(function* () {
      const { paths } = yield* served
      const found = Object.keys(paths).flatMap((path) => Object.keys(paths[path]).map((method) => `${method} ${path}`))
      expect(found.toSorted()).toEqual(endpoints.map(({ method, path }) => `${method} ${path}`).toSorted())
    })
  )

  endpoints.forEach(({ bodies, method, path, request, security }) =>
    live(`documents ${method} ${path} with named body schemas and the accepted credentials`, () =>
      Effect.gen(function* () {
        const operation = (yield* served).paths[path][method]
        const shown = Object.entries(operation.responses).map(([status, body]) => [status, shownSchemaOf(body)])
        expect(Object.fromEntries(shown)).toEqual(withCommonErrors(method, bodies))
        expect(operation.requestBody === undefined ? undefined : schemaOf(operation.requestBody)).toEqual(request)
        expect(operation.security.flatMap(Object.keys)).toEqual(security)
        expect(operation.summary).toBeString()
        expect(operation.description).toBeString()
      })
    )
  )

  live(
    "has seven distinct bodies of its own each for creating a connection, reading it and issuing its token (decision 2)",
    () =>
      Effect.gen(function* () {
        const { paths } = yield* served
        const bodies = endpoints
          .slice(0, 3)
          .map(({ method, path }) => Object.values<any>(paths[path][method].responses).map(schemaOf).filter(Boolean))
        expect(bodies.map((schemas) => new Set(schemas.map((schema) => JSON.stringify(schema))).size)).toEqual([
          7, 7, 7
        ])
      })
  )

  live("lists each code of the service but that of an unknown path, and no other, at some response", () =>
    Effect.gen(function* () {
      const document = yield* served
      const listed = endpoints.flatMap(({ method, path }) =>
        Object.entries<any>(document.paths[path][method].responses)
          .filter(([status]) => Number(status) >= 400)
          .flatMap(([, response]) => codesIn(schemaOf(resolveResponse(document, response))))
      )
      const known = Object.values(errorCodes).flat()
      expect([...new Set([...listed, "route_not_found"])].toSorted()).toEqual(known.toSorted())
    })
  )

  live("names every operation by a verb and a noun", () =>
    Effect.gen(function* () {
      const { paths } = yield* served
      const names = endpoints.map(({ method, path }) => paths[path][method].operationId)
      expect(names).toEqual([
        "createConnection",
        "getConnection",
        "issueBrowserToken",
        "listConnections",
        "revokeBrowserTokens",
        "eraseConnection",
        "authorizeConnection",
        "selectProvider",
        "approvePlan",
        "recheckConnection",
        "retryConnection",
        "updateConnection",
        "cancelConnection",
        "disconnectConnection",
        "getPlatform",
        "listRecords",
        "listEvents",
        "streamEvents",
        "listProviders",
        "checkDomain",
        "createShareLink",
        "revokeShareLinks",
        "redeemShareLink",
        "issueDomainEntryToken",
        "getPlatformOfEntry",
        "checkEnteredDomain",
        "connectEnteredDomain",
        "readTestZone",
        "advanceTestTime",
        "changeTestRecords",
        "enterTestRecords",
        "getUsage",
        "createWebhookEndpoint",
        "listWebhookEndpoints",
        "getWebhookEndpoint",
        "updateWebhookEndpoint",
        "replaceWebhookEndpoint",
        "pauseWebhookEndpoint",
        "resumeWebhookEndpoint",
        "deleteWebhookEndpoint",
        "rotateWebhookSecret",
        "sendTestEvent",
        "listWebhookDeliveries",
        "replayWebhookDelivery",
        "replayWebhookDeliveries",
        "askForDomain",
        "createApplication",
        "listApplications",
        "getApplication",
        "updateApplication",
        "replaceApplication",
        "deleteApplication",
        "listTenants",
        "getTenant",
        "revokeTenantKeys",
        "countTenantErasure",
        "eraseTenant",
        "listApplicationAuditEntries",
        "listAdminAuditEntries",
        "listConnectionsOfAllTenants",
        "inspectConnection",
        "readOverview",
        "retryConnectionAsOperator",
        "recheckConnectionAsOperator",
        "cancelConnectionAsOperator",
        "retryConnections",
        "createApiKey",
        "listApiKeys",
        "rotateApiKey",
        "revokeApiKey",
        "createAskSecret",
        "listAskSecrets",
        "rotateAskSecret",
        "revokeAskSecret",
        "putDomainConnectKey",
        "listDomainConnectKeys",
        "deleteDomainConnectKey",
        "createApplicationWebhookEndpoint",
        "listApplicationWebhookEndpoints",
        "getApplicationWebhookEndpoint",
        "updateApplicationWebhookEndpoint",
        "replaceApplicationWebhookEndpoint",
        "pauseApplicationWebhookEndpoint",
        "resumeApplicationWebhookEndpoint",
        "deleteApplicationWebhookEndpoint",
        "rotateApplicationWebhookSecret",
        "sendApplicationTestEvent",
        "listAuditEntries"
      ])
    })
  )

  live("has an example of every success with a body, of every request body, and of every error", () =>
    Effect.gen(function* () {
      const { components, paths } = yield* served
      const shared = { operationId: "shared", responses: components.responses }
      const all = [shared, ...endpoints.map(({ method, path }) => paths[path][method])]
      const without = all.flatMap(({ operationId, requestBody, responses }) => {
        const bodies = [["request", requestBody], ...Object.entries<any>(responses)]
        return bodies
          .filter(([, body]) => schemaOf(body ?? {}) !== undefined)
          .filter(([, body]) => Object.values<any>(body.content)[0].examples === undefined)
          .map(([status]) => `${operationId} ${status}`)
      })
      expect(without).toEqual([])
      expect(components.examples["error.409.state_conflict"].value.error.allowedActions).toEqual([
        "recheck",
        "disconnect",
        "update"
      ])
      const { connection } = components.examples["getConnection.200"].value
      expect(Schema.decodeUnknownSync(Connection)(connection).state).toBe("planned")
      expect(Schema.decodeUnknownSync(Observations)(components.examples["listRecords.200"].value)).toBeDefined()
    })
  )

  live("describes every parameter and limits the id to 1 to 200 characters", () =>
    Effect.gen(function* () {
      const { paths } = yield* served
      const parametersOf = (path: string, method: string): ReadonlyArray<any> => paths[path][method].parameters
      const parameters = endpoints.map(({ method, path }) =>
        [
          `${method} ${path}`,
          ...parametersOf(path, method).map(({ in: location, name }) => `${location} ${name}`)
        ].join(", ")
      )
      expect(parameters).toEqual([...declaredParameters])
      const all = endpoints.flatMap(({ method, path }) => parametersOf(path, method))
      const required = all.filter(({ in: location, required }) => required !== (location === "path"))
      // A web server asks for one host.
      expect(required.map(({ in: location, name }) => `${location} ${name}`)).toEqual(["query domain"])
      expect(all.filter((parameter) => !hasDescription(parameter) && !("$ref" in parameter.schema))).toEqual([])
      const ids = all.filter(({ name }) => name === "connectionId")
      ids.forEach(({ schema }) => expect(schema).toMatchObject({ type: "string", minLength: 1, maxLength: 200 }))
    })
  )

  live("describes the meaning of each response, not the name of its schema", () =>
    Effect.gen(function* () {
      const document = yield* served
      const answers = endpoints
        .flatMap(({ method, path }) => Object.values<any>(document.paths[path][method].responses))
        .map((response) => resolveResponse(document, response))
      expect(answers.filter(({ description }) => !/^[A-Z].* .*\.$/.test(description))).toEqual([])
    })
  )

  live("declares every authentication scheme", () =>
    Effect.gen(function* () {
      expect((yield* served).components.securitySchemes).toEqual({
        apiKey: { type: "apiKey", name: "x-api-key", in: "header" },
        browserToken: { type: "http", scheme: "bearer" },
        domainEntryToken: { type: "http", scheme: "bearer" },
        adminKey: { type: "apiKey", name: "x-admin-key", in: "header" }
      })
    })
  )
})

live("decision 2 lists exactly the error codes of the schemas, by status", () =>
  Effect.gen(function* () {
    const rows = yield* documentedErrorCodes
    expect(rows.flatMap(({ statuses }) => statuses).toSorted()).toEqual(Object.keys(errorCodes).map(Number).toSorted())
    rows.forEach(({ codes, statuses }) =>
      expect(codes.toSorted()).toEqual(statuses.flatMap((status) => errorCodes[status] ?? []).toSorted())
    )
  })
)

/** What a running service answers in the headers, by operation and status. */
withLayer("the headers of a response", apiInMemory({ rates: { server: 100 } }), (live) => {
  live("are declared, but for those of HTTP itself and of CORS", () =>
    Effect.gen(function* () {
      const document = yield* served
      const { components, paths } = document
      const headersOf = (operation: any, status: number): Readonly<Record<string, any>> =>
        resolveResponse(document, operation.responses[status]).headers
      const { key } = yield* issueKey()
      const created = yield* post("/v1/connections", key, { intent: sampleIntent }, { "idempotency-key": "one" })
      const repeated = yield* post(
        "/v1/connections",
        key,
        { intent: sampleIntent },
        { "idempotency-key": "one", prefer: "wait=0" }
      )
      const path = created.headers.get("location") ?? ""
      const answers: ReadonlyArray<readonly [operation: any, response: Response]> = [
        [paths["/v1/connections"].post, created],
        [paths["/v1/connections"].post, repeated],
        [paths["/v1/connections"].post, yield* post("/v1/connections", key, {})],
        [paths["/v1/connections"].post, yield* send("/v1/connections", { method: "PUT" })],
        [paths["/v1/connections"].get, yield* send("/v1/connections")],
        [paths[connection].get, yield* get(path, key)],
        [paths[connection].get, yield* get(path, key, { "if-none-match": "*" })],
        [paths[`${connection}/cancel`].post, yield* post(`${path}/cancel`, key, "")],
        [paths["/v1/providers"].get, yield* get("/v1/providers", key)]
      ]
      const ofHttp = [
        "date",
        "content-type",
        "content-length",
        "connection",
        "x-content-type-options",
        "permissions-policy",
        "vary"
      ]
      for (const [operation, response] of answers) {
        const declared = headersOf(operation, response.status)
        const names = Object.keys(declared).map((name) => name.toLowerCase())
        const sent = [...response.headers.keys()].filter((name) => !ofHttp.includes(name))
        expect(sent.filter((name) => !names.includes(name))).toEqual([])
        Object.values<any>(declared).forEach(({ $ref }) =>
          expect(components.headers[$ref.split("/").at(-1)].description).toBeString()
        )
      }
      expect(Object.keys(headersOf(paths["/v1/connections"].post, 201))).toEqual([
        "x-request-id",
        "Cache-Control",
        "ETag",
        "Location",
        "Idempotent-Replayed",
        "Preference-Applied",
        "RateLimit-Policy",
        "RateLimit"
      ])
      expect(headersOf(paths["/v1/connections"].post, 429)).toHaveProperty("Retry-After")
      expect(headersOf(paths["/v1/connections"].post, 405)).toHaveProperty("Allow")
    })
  )
})

withLayer("the documentation page", apiInMemory(), (live) => {
  live("loads no script or style sheet from another host", () =>
    Effect.gen(function* () {
      const page = yield* Effect.flatMap(send("/docs"), (response) => Effect.promise(() => response.text()))
      expect(page).toContain("Domain Connection Service")
      expect(page.match(/<(script|link)[^>]+(src|href)="https?:[^"]*"/g)).toBeNull()
    })
  )
})
