import { Context, DateTime, Duration, Effect, Layer, Option, Redacted, Schema } from "effect"
import { ExternalId } from "../domain/connection/PlatformFields.ts"
import { Origin } from "../domain/names/Origin.ts"
import { ApiKeyId, ApplicationId, type Tenancy, TenantId } from "../domain/access/Tenancy.ts"
import type { SealedSecret } from "../domain/access/SealedSecret.ts"
import { retryAtStart } from "../persistence/postgres/retryAtStart.ts"
import { MasterKeyMissing, type StoreUnavailable } from "../persistence/StoreUnavailable.ts"
import { ApiKeyStore } from "../persistence/stores/access/ApiKeyStore.ts"
import { MasterKeyStore } from "../persistence/stores/access/MasterKeyStore.ts"
import { Unauthenticated } from "./ApiKeys.ts"
import { MasterKeys } from "./MasterKeys.ts"
import { identifyOwner } from "./identifyOwner.ts"
import { makeSealer } from "./makeSealer.ts"

/** What a token for one connection holds: whose it is, the page that it works on, and what the connection gets. */
const EntryContent = Schema.Struct({
  applicationId: ApplicationId,
  tenantId: TenantId,
  apiKeyId: ApiKeyId,
  origin: Origin,
  externalId: Schema.optionalWith(ExternalId, { exact: true }),
  expiresAt: Schema.DateTimeUtc
})

/** The rights of a customer who types a domain: to create one connection for this tenant. */
export interface DomainEntryRights {
  readonly tenancy: Tenancy
  readonly apiKeyId: ApiKeyId
  readonly origin: Origin
  readonly externalId?: string
}

/**
 * Tokens with which a customer creates one connection by the application's template: `dct_entry_…`, in test mode
 * `dct_test_entry_…`. They are sealed instead of stored, and void with the API key that requested them.
 */
export class DomainEntryTokens extends Context.Tag("security/DomainEntryTokens")<
  DomainEntryTokens,
  {
    readonly issue: (
      entry: DomainEntryRights
    ) => Effect.Effect<{ readonly token: Redacted.Redacted; readonly expiresAt: DateTime.Utc }>
    /**
     * Returns what a valid token allows; the caller compares the origin. Fails with `MasterKeyMissing` if only a process
     * with a newer master key can tell.
     */
    readonly verify: (token: Redacted.Redacted) => Effect.Effect<DomainEntryRights, Unauthenticated | StoreUnavailable>
  }
>() {
  static readonly layer = (settings: { readonly lifetime: Duration.Duration; readonly isTestMode: boolean }) =>
    Layer.effect(
      DomainEntryTokens,
      Effect.gen(function* () {
        const keys = yield* ApiKeyStore
        const masterKeys = yield* MasterKeys
        const masterKeyStore = yield* MasterKeyStore
        const { open, seal } = makeSealer(masterKeys, EntryContent, identifyOwner.domainEntry)
        const listVersions = Effect.map(
          masterKeyStore.listChecks,
          (checks) => new Set(checks.map(({ keyVersion }) => keyVersion))
        )
        const versionsAtStart = yield* retryAtStart(listVersions)
        /** Whether a process that has started since then has a key that this one lacks. */
        const isKeyOfNewer = (version: number) =>
          versionsAtStart.has(version)
            ? Effect.succeed(false)
            : Effect.map(listVersions, (versions) => versions.has(version))
        const prefix = `dct_${settings.isTestMode ? "test_" : ""}entry_`

        return {
          issue: Effect.fnUntraced(function* ({ tenancy, ...entry }) {
            const expiresAt = DateTime.addDuration(yield* DateTime.now, settings.lifetime)
            const sealed = yield* seal(prefix, { ...tenancy, ...entry, expiresAt })
            return { token: Redacted.make(prefix + toText(sealed)), expiresAt }
          }),
          verify: Effect.fnUntraced(function* (token) {
            const [, version = "", nonce = "", ciphertext = ""] = tokenPattern.exec(Redacted.value(token)) ?? []
            const sealed = { keyVersion: Number(version), nonce: fromText(nonce), ciphertext: fromText(ciphertext) }
            // The same bytes, written in another way, would be another key of idempotency.
            if (prefix + toText(sealed) !== Redacted.value(token)) return yield* Unauthenticated.error
            // Anybody can name a key that there is not, which opening would warn of.
            if (Option.isNone(masterKeys.findByVersion(sealed.keyVersion)))
              return yield* (yield* isKeyOfNewer(sealed.keyVersion)) ? MasterKeyMissing.error : Unauthenticated.error
            const { apiKeyId, applicationId, expiresAt, tenantId, ...entry } = yield* Effect.mapError(
              open(prefix, sealed),
              () => Unauthenticated.error
            )
            const now = yield* DateTime.now
            const key = yield* keys.findOf(applicationId, apiKeyId)
            if (DateTime.lessThanOrEqualTo(expiresAt, now) || !Option.exists(key, isValidAt(now)))
              return yield* Unauthenticated.error
            return { tenancy: { applicationId, tenantId }, apiKeyId, ...entry }
          })
        }
      })
    )
}

interface EndingKey {
  readonly expiresAt: Date | null
  readonly revokedAt: Date | null
}

const isValidAt =
  (now: DateTime.Utc) =>
  ({ expiresAt, revokedAt }: EndingKey): boolean =>
    revokedAt === null && (expiresAt === null || expiresAt.getTime() > DateTime.toEpochMillis(now))

const toText = ({ ciphertext, keyVersion, nonce }: SealedSecret): string =>
  [keyVersion, ...[nonce, ciphertext].map((bytes) => Buffer.from(bytes).toString("base64url"))].join(".")

const fromText = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "base64url"))

const tokenPattern = /^dct_(?:test_)?entry_(\d{1,10})\.([\w-]{16})\.([\w-]{22,2000})$/

export const isDomainEntryToken = (text: Redacted.Redacted): boolean => tokenPattern.test(Redacted.value(text))
