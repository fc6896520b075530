import { Schema } from "effect"
import { OptionalErrorDetails } from "../../domain/ErrorDetail.ts"
import type { DetailCode } from "../../domain/detailMeanings.ts"
import type { QuotaName } from "../../domain/Quota.ts"

/** The tenant has used up one of its quotas; `details` names it with its limit. */
export class QuotaExceeded extends Schema.TaggedError<QuotaExceeded>()("QuotaExceeded", {
  code: Schema.Literal("quota_exceeded", "too_many_open_discoveries"),
  message: Schema.String,
  details: OptionalErrorDetails,
  /** After how many seconds the excess ends, where it ends by itself; the value of `Retry-After`. */
  retryAfterSeconds: Schema.optionalWith(Schema.Int, { exact: true })
}) {}

interface QuotaText {
  /** The code of the detail. */
  readonly code: DetailCode
  readonly pointer: string
  /** The unit of the limit, which follows its number. */
  readonly subject: string
  /** The advice to the caller. */
  readonly remedy: string
}

const askOperator = (setting: string) => `or ask the operator of the service to raise ${setting}`

const quotaTexts: { readonly [_ in QuotaName]: QuotaText } = {
  connections: {
    code: "connections_per_tenant",
    pointer: "",
    subject: "connections that have not ended",
    remedy: `cancel or disconnect those that are not needed, ${askOperator("CONNECTIONS_PER_TENANT")}`
  },
  connectionsPerDomain: {
    code: "connections_per_domain",
    pointer: "/intent/domain",
    subject: "connections that have not ended in this registered domain",
    remedy: `cancel or disconnect those that are not needed, ${askOperator("CONNECTIONS_PER_DOMAIN")}`
  },
  openDiscoveries: {
    code: "open_discoveries_per_tenant",
    pointer: "",
    subject: "connections whose discovery has not ended",
    remedy: "try again when some have ended"
  },
  storageBytes: {
    code: "storage_per_tenant",
    pointer: "",
    subject: "bytes of connections and their history",
    remedy: `send fewer records in each, ${askOperator("STORAGE_PER_TENANT_MIB")}`
  },
  idempotencyBytes: {
    code: "idempotency_per_tenant",
    pointer: "/idempotency-key",
    subject: "bytes of answers kept under idempotency keys",
    remedy: `they are deleted after 24 hours; wait, ${askOperator("IDEMPOTENCY_PER_TENANT_MIB")}`
  }
}

/** The error of a request that would exceed a quota; `used`, if it is known, may be more than the limit. */
export const makeQuotaExceeded = (quota: QuotaName, limit: number, used = limit): QuotaExceeded => {
  const { code, pointer, remedy, subject } = quotaTexts[quota]
  return new QuotaExceeded({
    message: `the tenant may have ${limit} ${subject}; ${remedy}`,
    details: [{ pointer, code, message: `${used} of ${limit} are used` }],
    ...(quota === "openDiscoveries"
      ? { code: "too_many_open_discoveries", retryAfterSeconds: discoverySeconds }
      : { code: "quota_exceeded" })
  })
}

/** Most discoveries end sooner. */
const discoverySeconds = 5
