import type { ConnectionRecord, Progress } from "../../domain/ConnectionRecord.ts"

/** Whether records of a connection may be in the zone: the service wrote them, or the customer entered them. */
export const hasRecordsInZone = ({ entered, wrote }: Progress): boolean => wrote || entered.length > 0

/** Whether a connection must not end before its zone is restored: records that it put there must not stay there. */
export const mustRestore = ({ connection: { direction }, progress }: ConnectionRecord): boolean =>
  hasRecordsInZone(progress) || direction === "restore"

/**
 * Whether a connection waits for an authorization to repair its records. It is verified meanwhile, since the records may
 * come back without the service.
 */
export const awaitsRepair = ({ connection: { direction, state }, progress }: ConnectionRecord): boolean =>
  state === "awaiting_authorization" && direction !== "restore" && hasRecordsInZone(progress)
