import type { ProviderFailureCode } from "../providers/ProviderFailure.ts"

/** The provider of a test domain; an unknown one has only name servers. */
export type TestProviderId = "test-dns" | "test-token-dns" | "test-connect-dns" | "test-registrar" | "unknown"

/**
 * A record with which a test domain begins: `host` relative to the zone, `content` in presentation format, a text
 * without quotes. `ZONE` is replaced by the name of the zone.
 */
export type TestRecord = readonly [host: string, type: string, content: string]

/**
 * A domain of test mode, with the behaviour that its name promises. Every other name whose first label ends in `-NAME`,
 * such as `shop-7-one-click.test`, is a domain of its own with the same behaviour.
 */
export interface TestDomain {
  /** Its label below `.test`. */
  readonly name: string
  /** The behaviour, in one or two sentences for the documentation. */
  readonly summary: string
  readonly provider: TestProviderId
  /** The name servers, where they are not those of the provider. */
  readonly nameServers?: ReadonlyArray<string>
  /** The records that it begins with, besides its NS set. */
  readonly records?: ReadonlyArray<TestRecord>
  /** The behaviour of the registry or the name servers, where they do not just answer. */
  readonly delegation?: "not_registered" | "no_name_servers" | "silent" | "lame"
  /** Whether the registry has a DS record of the zone. */
  readonly isSigned?: boolean
  /** The provider refuses every credential for the zone. */
  readonly refusesToOpen?: ProviderFailureCode
  /** The provider makes one change a call, not all of them together. */
  readonly writesSingly?: boolean
  /** The outcomes of the first calls that write, in their order; later calls succeed. */
  readonly writes?: ReadonlyArray<TestWriteOutcome>
  /** Whether the provider forgets a sign-in at once, so that its token is refused at the first use. */
  readonly forgetsSignIn?: boolean
  /** After how many seconds the name servers show a write, or only the second one of them. */
  readonly showsAfter?: { readonly seconds: number; readonly at: "all" | "second" }
  /** The seconds after which a write is undone, as by another writer. */
  readonly losesAfterSeconds?: number
}

/**
 * The outcome of a call that writes. `changed_by_others`: another writer adds a record at the first name just before;
 * `rejected` and `rate_limited`: nothing is written; `unanswered`: it is written, and the provider does not say so.
 */
type TestWriteOutcome = "written" | "changed_by_others" | "rejected" | "rate_limited" | "unanswered"
