import { parseLabel } from "./presentation.ts"

/** Encodes a name whose labels are in the form of `formatLabel`, without compression; the root is `.`. */
export const encodeName = (name: string): ReadonlyArray<number> =>
  name === "." ? [0] : [...name.split(".").flatMap((label) => prefixWithLength(parseLabel(label))), 0]

/** Bytes to be written into a message. */
export type Bytes = ReadonlyArray<number> | Uint8Array

/** Two bytes in network order. */
export const encodeUint16 = (value: number): ReadonlyArray<number> => [(value >> 8) & 0xff, value & 0xff]

/** A label or character-string: its length in one byte, then its bytes. */
export const prefixWithLength = (bytes: Bytes): ReadonlyArray<number> => [bytes.length, ...bytes]
