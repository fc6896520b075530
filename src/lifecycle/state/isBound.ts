import type { Standing } from "../../domain/Progress.ts"

/** Whether a connection must not end before it is taken out of its zone: what was written there cannot be left there. */
export const isBound = ({ connection: { direction }, progress: { wrote } }: Standing): boolean =>
  wrote || direction === "restore"
