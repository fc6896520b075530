import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { Effect, Schema, Struct } from "effect"
import { Applications } from "../../../administration/Applications.ts"
import {
  type Application,
  applicationSettingNames,
  changeApplicationSettings,
  defaultApplicationSettings
} from "../../../domain/access/Application.ts"
import type { ApplicationId } from "../../../domain/access/Tenancy.ts"
import { listOmittedSettings } from "../../../domain/access/mergeSettings.ts"
import { SettingsOmitted } from "../../../lifecycle/commands/commandErrors.ts"
import type { StoredApplication } from "../../../persistence/stores/access/ApplicationStore.ts"
import { ApiKeys } from "../../../security/ApiKeys.ts"
import { ApplicationBody } from "./AdminApi.ts"
import { Api } from "../Api.ts"
import { serveEndpoints } from "../../pipeline/Endpoints.ts"
import { makeIdempotentAnswer } from "./idempotentAnswers.ts"
import { makeTenantUsageReader } from "../usage/UsageHandlers.ts"
import { etagOf, matchesIfMatch } from "../responses.ts"
import { toPage, toPageRequest } from "../../contract/listParameters.ts"

export const AdminHandlers = HttpApiBuilder.group(
  Api,
  "admin",
  Effect.fnUntraced(function* (handlers) {
    const applications = yield* Applications
    const apiKeys = yield* ApiKeys
    const readUsage = yield* makeTenantUsageReader
    const answerIdempotently = yield* makeIdempotentAnswer

    return yield* handlers
      .handle("create", ({ headers, payload }) => {
        const { id, ...settings } = payload
        const route = "POST /v1/admin/applications"
        return answerIdempotently(
          { route, key: headers["idempotency-key"], body: payload },
          ApplicationBody,
          Effect.map(applications.create(id, settings), (stored) => ({ application: toApplication(stored) })),
          { location: `/v1/admin/applications/${id}`, etag: etagOf({ version: 1 }) }
        )
      })
      .handle("list", ({ urlParams }) =>
        Effect.map(applications.list(toPageRequest(urlParams)), (rows) => {
          const { page, ...next } = toPage(rows, urlParams)
          return { applications: page.map(toApplication), ...next }
        })
      )
      .handle("get", ({ path }) => Effect.map(applications.find(path.applicationId), respondWithApplication))
      .handle("update", ({ headers, path, payload }) =>
        Effect.map(
          applications.update(select(path, headers["if-match"]), (current) =>
            Effect.succeed(changeApplicationSettings(current, payload))
          ),
          respondWithApplication
        )
      )
      .handle("replace", ({ headers, path, payload }) =>
        Effect.map(
          applications.update(select(path, headers["if-match"]), (current) => {
            const omitted = listOmittedSettings(applicationSettingNames, current, payload, defaultApplicationSettings)
            return omitted.length > 0
              ? Effect.fail(SettingsOmitted.of(omitted))
              : Effect.succeed({ ...defaultApplicationSettings, ...payload })
          }),
          respondWithApplication
        )
      )
      .handle("remove", ({ headers, path }) => applications.remove(select(path, headers["if-match"])))
      .handle("listTenants", ({ path, urlParams }) =>
        Effect.map(applications.listTenants(path.applicationId, toPageRequest(urlParams)), (tenants) => {
          const { page, ...next } = toPage(tenants, urlParams)
          return { tenants: page, ...next }
        })
      )
      .handle("getTenant", ({ path }) =>
        Effect.gen(function* () {
          yield* applications.find(path.applicationId)
          return { tenant: { id: path.tenantId, usage: yield* readUsage(path) } }
        })
      )
      .handle("revokeKeys", ({ path }) =>
        Effect.gen(function* () {
          yield* applications.find(path.applicationId)
          return { revoked: yield* apiKeys.revokeAll(path) }
        })
      )
      .handle("countTenant", ({ path }) =>
        Effect.map(applications.countTenant(path), ({ apiKeys, endedConnections, liveConnections }) => ({
          erasure: { connections: endedConnections, liveConnections, apiKeys }
        }))
      )
      .handle("eraseTenant", ({ path, payload }) => applications.eraseTenant(path, payload.connections))
      .pipe(serveEndpoints)
  })
)

const select = ({ applicationId }: { readonly applicationId: ApplicationId }, ifMatch: string | undefined) => ({
  id: applicationId,
  matches: (stored: StoredApplication) => ifMatch === undefined || matchesIfMatch(ifMatch, etagOf(stored))
})

const toApplication = ({ settings, ...stored }: StoredApplication): Application => ({
  ...Struct.pick(stored, "id", "createdAt", "updatedAt"),
  ...settings
})

const respondWithApplication = (stored: StoredApplication) =>
  HttpServerResponse.unsafeJson(encodeApplication({ application: toApplication(stored) }), {
    headers: { etag: etagOf(stored) }
  })

const encodeApplication = Schema.encodeSync(ApplicationBody)
