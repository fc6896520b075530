/** Whether `If-None-Match` names this version: a weak tag does too (RFC 9110 section 13.1.2). */
export const matchesIfNoneMatch = (ifNoneMatch: string, etag: string): boolean =>
  listed(ifNoneMatch).some((tag) => ["*", etag, `W/${etag}`].includes(tag))

/** Whether `If-Match` names this version: a weak tag never does (RFC 9110 section 13.1.1). */
export const matchesIfMatch = (ifMatch: string, etag: string): boolean =>
  listed(ifMatch).some((tag) => ["*", etag].includes(tag))

/** None of our own tags has a comma in it. */
const listed = (tags: string): ReadonlyArray<string> => tags.split(",").map((tag) => tag.trim())
