import { computeExternalKey, computeMetadataKeys } from "../../../domain/connection/ConnectionKeys.ts"
import type { PlatformFields } from "../../../domain/connection/PlatformFields.ts"
import type { Tenancy } from "../../../domain/access/Tenancy.ts"
import { encodeArray } from "../../batchStatement.ts"

/** The keys by which a tenant finds a connection: of its external id, and of its metadata, as a literal of an array. */
export const toPlatformKeys = (tenancy: Tenancy, { externalId, metadata = {} }: PlatformFields) => ({
  external_key: externalId === undefined ? null : computeExternalKey(tenancy, externalId),
  metadata_keys: Object.keys(metadata).length === 0 ? null : encodeArray(computeMetadataKeys(tenancy, metadata))
})
