import type { Progress, Standing } from "../../domain/Progress.ts"

/** Whether records of a connection may be in the zone because of it: the service wrote them, or the customer did. */
export const hasRecords = ({ entered, wrote }: Progress): boolean => wrote || entered.length > 0

/** Whether a connection must not end before it is taken out of its zone: what was put there cannot be left there. */
export const isBound = ({ connection: { direction }, progress }: Standing): boolean =>
  hasRecords(progress) || direction === "restore"

/** Whether a connection that waits to be let in is looked at meanwhile: it waits to be repaired, and may be whole again. */
export const isInRepair = ({ connection: { direction, state }, progress }: Standing): boolean =>
  state === "awaiting_authorization" && direction !== "restore" && hasRecords(progress)
