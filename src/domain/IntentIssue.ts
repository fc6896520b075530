/** Something in an intent that fits the schema and makes no sense; `pointer` is a JSON pointer (RFC 6901). */
export interface IntentIssue {
  readonly pointer: string
  readonly code: string
  readonly message: string
}

/** The JSON pointer of a field of the record at `index` of the request. */
export const recordPointer = (index: number, field?: string): string =>
  `/intent/records/${index}${field === undefined ? "" : `/${field}`}`
