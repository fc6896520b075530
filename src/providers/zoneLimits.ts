import { Effect } from "effect"
import { readWithinSize, type ZoneSizeLimits } from "../limits/LargeZones.ts"
import { ProviderError } from "./ProviderError.ts"

/** In JSON, 200,000 records are about 27 MB, and the 8,000 of a small zone 1 MB. */
export const jsonZoneLimits: ZoneSizeLimits = { maxBytes: 32 * 1024 * 1024, smallBytes: 1024 * 1024 }

/** Whether an answer that may have as many records as a zone is received. */
export const admitsZone = (bytes: number): boolean => bytes <= jsonZoneLimits.maxBytes

/** In a zone transfer, 500,000 records are about 20 MB, and the 8,000 of a small zone a quarter of a megabyte. */
export const transferLimits: ZoneSizeLimits = { maxBytes: 32 * 1024 * 1024, smallBytes: 256 * 1024 }

/** Reads a zone whose size is not known before, as `readWithinSize` does. */
export const readAdmitted = <A>(
  read: (admits: (bytes: number) => boolean) => Effect.Effect<A, ProviderError>,
  limits: ZoneSizeLimits
): Effect.Effect<A, ProviderError> => Effect.catchTag(readWithinSize(read, limits), "LargeZonesBusy", () => noPermit)

const noPermit = new ProviderError({ kind: "busy", detail: "the service reads other large zones at the moment" })

export const maxZoneRecords = 500_000

/** Says that a zone is larger than the service plans from. */
export const makeZoneTooLarge = (detail: string): ProviderError => new ProviderError({ kind: "too_large", detail })

/** Whether no DNS message (65,535 bytes) can hold an RRset; `dataLength` is a lower bound of its data's bytes. */
export const isRRsetTooLarge = (recordCount: number, dataLength: number): boolean =>
  recordCount * (fieldsLength + minDataLength) > maxMessageLength ||
  recordCount * fieldsLength + dataLength > maxMessageLength

/** A lower bound of the bytes of a record's data, in which names may be compressed. */
export const minDataLengthOf = ({ type, value }: { readonly type: string; readonly value: string }): number =>
  type === "TXT" ? Buffer.byteLength(value.replaceAll(/\\\d{3}/g, "?")) : minDataLength

const maxMessageLength = 65_535

/** The compressed name, type, class, TTL and data length of a record. */
const fieldsLength = 12

/** An IPv4 address; an RRset has few records with shorter data. */
const minDataLength = 4
