import type { ConnectionRecord, Progress } from "../../domain/ConnectionRecord.ts"

/** Whether records of a connection may be in the zone because of it: the service wrote them, or the customer did. */
export const hasRecordsInZone = ({ entered, wrote }: Progress): boolean => wrote || entered.length > 0

/** Whether a connection must not end before it is taken out of its zone: what was put there cannot be left there. */
export const mustRestore = ({ connection: { direction }, progress }: ConnectionRecord): boolean =>
  hasRecordsInZone(progress) || direction === "restore"

/** Whether a connection that waits to be let in is looked at meanwhile: it waits to be repaired, and may be whole again. */
export const awaitsRepair = ({ connection: { direction, state }, progress }: ConnectionRecord): boolean =>
  state === "awaiting_authorization" && direction !== "restore" && hasRecordsInZone(progress)
