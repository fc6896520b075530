import { parseLabel } from "./formatLabel.ts"

/** The bytes of a name in the form of `labelText`, uncompressed; the root is `.`. */
export const encodeName = (name: string): ReadonlyArray<number> =>
  name === "." ? [0] : [...name.split(".").flatMap((label) => lengthPrefixed(parseLabel(label))), 0]

/** Bytes of a message, on the way into it. */
export type Bytes = ReadonlyArray<number> | Uint8Array

/** Two bytes, the higher one first. */
export const encodeUint16 = (value: number): ReadonlyArray<number> => [(value >> 8) & 0xff, value & 0xff]

/** The length in one byte, and the bytes: a label or character-string. */
export const lengthPrefixed = (bytes: Bytes): ReadonlyArray<number> => [bytes.length, ...bytes]
