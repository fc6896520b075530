import type { Either, Option } from "effect"
import type { ErrorDetail, ValueIssue } from "../error/ErrorDetail.ts"
import type { RecordFormat } from "./RecordFormat.ts"

/** All that the service knows about a record type that an intent may contain. */
export interface RecordTypeDefinition extends RecordFormat {
  readonly code: number
  /** Parses a desired value strictly into its normal form; what people type wrong has a suggestion. */
  readonly parse: (value: string) => Either.Either<string, ValueIssue>
  /** Checks the host of a record, relative to the domain and in normal form. */
  readonly checkHost?: (host: string, value: string) => Option.Option<ValueIssue>
  /** Checks a value in normal form by what its standard requires beyond the form. */
  readonly checkPolicy?: (value: string, host: string) => Option.Option<ValueIssue>
  /** A text that is the same for all spellings of one meaning; `name` is that of its host. */
  readonly spellAlike?: (value: string, name: string) => string
  /** Why a value must be the only one of its type at its host, where it must. */
  readonly standsAlone?: (value: string) => Pick<ErrorDetail, "code" | "message"> | undefined
  /** The record belongs to a delegation: it stands beside the NS records of its host, in the same intent. */
  readonly belongsToDelegation?: true
  readonly conflicts: HostConflicts
  /** The place among the changes at a host: a target comes before what points to it. */
  readonly order: number
  /** What stops if the record is lost by which programs find a service. */
  readonly loss?: string
  /** The kind of service that the names in the value provide (`TargetsOutside`). */
  readonly pointsTo?: "mail" | "nameServers" | "websites"
  /** Whether the value sends clients to the addresses of its own host; only types that describe a website have it. */
  readonly followsAddresses?: (value: string) => boolean
}

/** Which records at its host a record replaces, and which it cannot coexist with. */
export interface HostConflicts {
  /** Which records of its own type it replaces: all, those of its kind (`findSingletonTxtKind`), or none. */
  readonly replaces: "set" | "kind" | "nothing"
  readonly excludes: ReadonlyArray<string> | "all"
}
