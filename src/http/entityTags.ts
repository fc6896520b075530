import { Option } from "effect"
import type { StoredConnection } from "../persistence/stores/StoredConnection.ts"

/** The ETag of a connection: its version. */
export const etagOf = ({ version }: Pick<StoredConnection, "version">): string => `"${version}"`

/** Whether `If-None-Match` names this ETag; a weak tag does too (RFC 9110 section 13.1.2). */
export const matchesIfNoneMatch = (ifNoneMatch: string, etag: string): boolean =>
  splitTags(ifNoneMatch).some((tag) => ["*", etag, `W/${etag}`].includes(tag))

/** Whether `If-Match` names this ETag; a weak tag never does (RFC 9110 section 13.1.1). */
export const matchesIfMatch = (ifMatch: string, etag: string): boolean =>
  splitTags(ifMatch).some((tag) => ["*", etag].includes(tag))

/** Whether a version is one that `If-Match` names, if the request has one. */
export const toVersionCheck = (ifMatch: string | undefined): Option.Option<(version: number) => boolean> =>
  Option.map(Option.fromNullable(ifMatch), (etags) => (version) => matchesIfMatch(etags, etagOf({ version })))

/** Splits at commas, which none of this service's tags contains. */
const splitTags = (header: string): ReadonlyArray<string> => header.split(",").map((tag) => tag.trim())
