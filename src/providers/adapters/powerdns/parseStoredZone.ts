import { Either, Option, Schema } from "effect"
import { compileDecoder } from "../../../runtime/compileDecoder.ts"
import type { LongComputation } from "../../../runtime/LongComputation.ts"
import { splitJsonArray } from "../../splitJsonArray.ts"
import { ProviderError } from "../../ProviderError.ts"
import { makeZoneTooLarge, maxZoneRecords } from "../../zoneLimits.ts"

const PowerDnsRecord = Schema.Struct({ content: Schema.String, disabled: Schema.Boolean })
export type PowerDnsRecord = typeof PowerDnsRecord.Type

/** An RRset as PowerDNS stores it: names end in a dot, `ttl` is in seconds. */
const PowerDnsRRset = Schema.Struct({
  name: Schema.String,
  type: Schema.String,
  ttl: Schema.Number,
  records: Schema.Array(PowerDnsRecord)
})
export type PowerDnsRRset = typeof PowerDnsRRset.Type

/** The kind of a zone, which says whether the server is its primary, and RRsets of it. */
export interface PowerDnsZone {
  readonly kind: string
  readonly rrsets: ReadonlyArray<PowerDnsRRset>
}

/**
 * Parses a zone of PowerDNS, part by part, and keeps those that `isNeeded`: 10 MB at once would stop the process for
 * half a second. Text that is no such zone is malformed, as `describe` says.
 */
export function* parseStoredZone(
  text: string,
  isNeeded: (rrset: PowerDnsRRset) => boolean,
  describe: () => string
): LongComputation<Either.Either<PowerDnsZone, ProviderError>> {
  const malformed = () => Either.left(new ProviderError({ kind: "malformed", detail: describe() }))
  const split = yield* splitJsonArray(text, "rrsets")
  const header = Option.flatMap(Option.fromNullable(split), ({ rest }) => decodeHeader(rest))
  if (split === undefined || Option.isNone(header)) return malformed()
  const rrsets: Array<PowerDnsRRset> = []
  let recordCount = 0
  for (const part of split.parts) {
    if (part.length > maxPartLength) return Either.left(makeZoneTooLarge(`an RRset of ${part.length} characters`))
    const decoded = decodePart(`[${part}]`)
    if (Either.isLeft(decoded)) return malformed()
    for (const rrset of decoded.right) {
      recordCount += rrset.records.length
      if (isNeeded(rrset)) rrsets.push(rrset)
    }
    if (recordCount > maxZoneRecords) return Either.left(makeZoneTooLarge(`more than ${maxZoneRecords} records`))
    yield
  }
  return Either.right({ kind: header.value.kind, rrsets })
}

const decodeHeader = Schema.decodeUnknownOption(
  Schema.parseJson(Schema.Struct({ kind: Schema.String, rrsets: Schema.Tuple() }))
)

const decodePart = compileDecoder(Schema.parseJson(Schema.Array(PowerDnsRRset)))

/** An RRset that fits into a DNS message takes less, even if each of its bytes is escaped. */
const maxPartLength = 1024 * 1024
