import { Array, Context, Effect, Either, Layer, Option } from "effect"
import type { ApplicationId, Tenancy } from "../domain/access/Tenancy.ts"
import { DomainName, toRelativeHost } from "../domain/names/DomainName.ts"
import type { ChangeRecord } from "../domain/plan/Plan.ts"
import type { TestRecordSet } from "../domain/testmode/TestZone.ts"
import { isAllowedRedirect, isReserved } from "../domainConnect/applyLink.ts"
import { applyTemplate } from "../domainConnect/applyTemplate.ts"
import type { ZoneEntry } from "../domainConnect/resolveTemplate.ts"
import { importKey, isSignatureOf } from "../domainConnect/signature.ts"
import { parseTemplate, type Template } from "../domainConnect/Template.ts"
import { toZoneEntry } from "../lifecycle/authorize/zoneEntries.ts"
import type { StoreUnavailable } from "../persistence/StoreUnavailable.ts"
import { ApplicationStore } from "../persistence/stores/access/ApplicationStore.ts"
import { parseContent } from "../providers/writing/recordContent.ts"
import { DomainConnectKeys } from "../security/DomainConnectKeys.ts"
import { OAuthSessions } from "../security/OAuthSessions.ts"
import { findTestZone, type TestZoneName } from "./TestZoneName.ts"
import type { TestProviderId } from "./TestDomain.ts"
import { isTooLarge, TestZones } from "./TestZones.ts"
import { makeChange } from "./zoneEdits.ts"

/** The provider of test mode that takes part in Domain Connect. */
export const testConnectProvider = "test-connect-dns" satisfies TestProviderId

/** A customer at the provider, by a link that was signed for their zone. */
export interface TestConsent {
  /** Applies the template to the zone; false if the zone cannot hold the records. */
  readonly apply: Effect.Effect<boolean, StoreUnavailable>
  /** Where the customer goes on, with this error if there is one. */
  readonly returnUrl: (error?: string) => string
}

/** The provider's side of Domain Connect in test mode: it verifies links, and applies templates to zones of test mode. */
export class TestDomainConnect extends Context.Reference<TestDomainConnect>()("testmode/TestDomainConnect", {
  defaultValue: (): {
    /** Opens the link of an open session; none if its signature, template, zone or page to return to does not fit. */
    readonly open: (link: URL) => Effect.Effect<Option.Option<TestConsent>, StoreUnavailable>
  } => ({ open: () => Effect.succeedNone })
}) {
  static readonly layer = Layer.effect(
    TestDomainConnect,
    Effect.gen(function* () {
      const applications = yield* ApplicationStore
      const keys = yield* DomainConnectKeys
      const sessions = yield* OAuthSessions
      const zones = yield* TestZones

      const findTemplate = (applicationId: ApplicationId, { pathname }: URL) =>
        Effect.map(applications.findSettings(applicationId), ({ domainConnectTemplates = [] }) =>
          Array.findFirst(Array.getRights(domainConnectTemplates.map(parseTemplate)), ({ providerId, serviceId }) =>
            pathname.endsWith(
              `/v2/domainTemplates/providers/${encodeURIComponent(providerId)}/services/${encodeURIComponent(serviceId)}/apply`
            )
          )
        )

      const isSigned = (applicationId: ApplicationId, { syncPubKeyDomain }: Template, { search, searchParams }: URL) =>
        Effect.map(keys.list(applicationId), (own) =>
          own
            .filter(
              ({ domain, label }) => domain === syncPubKeyDomain?.toLowerCase() && label === searchParams.get("key")
            )
            .some(({ publicKey }) =>
              Option.exists(importKey(publicKey), (key) =>
                isSignatureOf(signedPartOf(search), searchParams.get("sig") ?? "", key)
              )
            )
        )

      const apply = (tenancy: Tenancy, name: TestZoneName, template: Template, values: URLSearchParams) =>
        Effect.gen(function* () {
          const current = yield* zones.read(tenancy, name)
          const effect = applyTemplate(template, toEntries(current.sets, current.zone), useOf(values), withoutRedirects)
          if (Either.isLeft(effect)) return false
          const scope = { domain: DomainName.make(current.zone), zone: current.zone }
          const { added, removed } = effect.right
          const changes = [
            ...removed.map((entry) => ({ before: toRecord(entry, scope.domain) })),
            ...added.map((entry) => ({ after: toRecord(entry, scope.domain) }))
          ]
          const sets = changes.reduce((sets, change) => makeChange(sets, change, scope), current.sets)
          return !isTooLarge(sets) && (yield* zones.call(tenancy, current, { sets }))
        })

      return {
        // The signature covers the query alone: its state names the tenant.
        open: Effect.fnUntraced(function* (link) {
          const values = link.searchParams
          const owner = yield* sessions.findOwner(values.get("state") ?? "")
          if (Option.isNone(owner)) return Option.none()
          const tenancy = owner.value
          const template = yield* findTemplate(tenancy.applicationId, link)
          const name = findTestZone(values.get("domain") ?? "")
          const redirectUri = values.get("redirect_uri") ?? ""
          return Option.isNone(template) ||
            name?.zone !== values.get("domain") ||
            name.domain.provider !== testConnectProvider ||
            !isAllowedRedirect(redirectUri, template.value.syncRedirectDomain) ||
            !(yield* isSigned(tenancy.applicationId, template.value, link))
            ? Option.none()
            : Option.some({
                apply: apply(tenancy, name, template.value, values),
                returnUrl: (error) => {
                  const url = new URL(redirectUri)
                  url.searchParams.set("state", values.get("state") ?? "")
                  if (error !== undefined) url.searchParams.set("error", error)
                  return url.href
                }
              })
        })
      }
    })
  )
}

/** What was signed of a query, as it was sent. */
const signedPartOf = (search: string): string =>
  search
    .slice(1)
    .split("&")
    .filter((pair) => !/^(?:sig|key|dc\.\w+)=/.test(pair))
    .join("&")

const useOf = (values: URLSearchParams) => {
  const groups = values.get("groupId")?.split(",")
  return {
    domain: values.get("domain") ?? "",
    host: values.get("host") ?? "",
    variables: Object.fromEntries([...values].filter(([name]) => !isReserved(name))),
    ...(groups === undefined ? {} : { groups })
  }
}

const withoutRedirects = { redirectEntries: [] }

const toEntries = (sets: ReadonlyArray<TestRecordSet>, zone: string): ReadonlyArray<ZoneEntry> =>
  sets.flatMap(({ name, records, ttl, type }) =>
    records.map(({ content }) => ({
      ...toZoneEntry({ host: "@", ttl, ...parseContent(type, content) }, DomainName.make(zone)),
      type: type === "ALIAS" ? "CNAME" : type,
      name
    }))
  )

const toRecord = (
  { data, name, port, priority, ttl = 300, type, weight }: ZoneEntry,
  domain: DomainName
): ChangeRecord => ({
  host: Option.getOrElse(toRelativeHost(name, domain), () => name),
  type,
  value: type === "SRV" ? `${weight} ${port} ${data}` : data,
  ttl,
  optional: false,
  ...(priority === undefined ? {} : { priority })
})
