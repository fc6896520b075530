import { auditActionOf, listChangedSettings } from "../../domain/access/AuditEntry.ts"
import { Connection } from "../../domain/connection/Connection.ts"
import type { ConnectionRecord } from "../../domain/connection/ConnectionRecord.ts"
import { type PlatformFields, platformFieldNames } from "../../domain/connection/PlatformFields.ts"
import { withoutValidation } from "../../domain/values/boundedSchemas.ts"

export const withPlatformFields = (
  { connection: { externalId: _id, metadata: _metadata, ...connection }, progress }: ConnectionRecord,
  fields: PlatformFields
): ConnectionRecord => ({ connection: Connection.make({ ...connection, ...fields }, withoutValidation), progress })

export const auditAttachment = ({ connection }: ConnectionRecord, fields: PlatformFields) =>
  auditActionOf("connection.changed", { settings: listChangedSettings(platformFieldNames, connection, fields) })
