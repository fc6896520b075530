export const maxBodyBytes = 256 * 1_024

/** The bytes of a body that count as one request of a rate limit; an undeclared length counts as the longest. */
export const bodyBytesPerRequest = 32 * 1_024

/** How fast a body has to arrive. */
export interface RateFloor {
  /** The time that a body may take in addition to the time for its bytes. */
  readonly graceMillis: number
  /** The rate that it may not stay below, counted from its beginning. */
  readonly bytesPerSecond: number
  /** How long it may take in any case. */
  readonly maxMillis: number
}

/** The rate below which a body is ended. The grace allows for lost packets. */
export const bodyRateFloor: RateFloor = { graceMillis: 5_000, bytesPerSecond: 1_024, maxMillis: 30_000 }

/** When a body is refused, by the code of the error. */
export const bodyRefusals = {
  body_too_slow: `The body arrived at less than ${bodyRateFloor.bytesPerSecond / 1_024} KiB a second after its first ${bodyRateFloor.graceMillis / 1_000} seconds, or took longer than ${bodyRateFloor.maxMillis / 1_000} seconds.`,
  body_too_large: `The body is larger than ${maxBodyBytes.toLocaleString("en")} bytes.`,
  unsupported_media_type: "The body is not `application/json` in UTF-8 without a content coding."
} as const
