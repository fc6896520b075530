/** A request as a fake vendor understands it. */
export interface VendorCall {
  /** Counts all calls of a fake from 1. */
  readonly number: number
  readonly method: string
  /** Below the vendor's base URL, decoded: `/v2/domains/example.com`. */
  readonly path: string
  /** Method and path template, as in `GET /v2/domains/{domain_name}`; `undefined` for a path that the fake does not serve. */
  readonly operation: string | undefined
  /** Whether it may change anything. */
  readonly isWrite: boolean
  readonly pathParameters: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** The decoded body; `undefined` where there is none. */
  readonly body: unknown
  /** The headers that make a write depend on the state (RFC 9110 section 13.1) or filter a list, where there is one. */
  readonly conditions?: Readonly<Record<string, string>>
  /** The fake's clock, in milliseconds since 1970. */
  readonly now: number
}

/** A vendor's answer. A `body` is sent as JSON, a `text` as it is; without both there is no body. */
export interface VendorAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly text?: string
}

/** Which calls are meant; all that are given must hold. */
export interface CallPattern {
  readonly method?: string
  /** As the fake names it: `POST /v2/domains/{domain_name}/records`. */
  readonly operation?: string
  readonly where?: (call: VendorCall) => boolean
  /** Only the n-th call that matches, counted from 1 and from when this was said; without it all of them. */
  readonly nth?: number
}

/** A call in a fake's log. Headers are not kept, because they carry credentials. */
export interface LoggedCall extends Omit<VendorCall, "pathParameters" | "query"> {
  readonly query: string
  /** The status that was sent, or what happened instead of an answer. */
  readonly outcome: number | "cut" | "silence"
}

/** Counts the calls that match a pattern; returns whether this one is meant. */
export const makeCallMatcher = ({ method, nth, operation, where }: CallPattern): ((call: VendorCall) => boolean) => {
  let matches = 0
  return (call) => {
    const isMatch =
      (method === undefined || call.method === method) &&
      (operation === undefined || call.operation === operation) &&
      (where === undefined || where(call))
    if (isMatch) matches += 1
    return isMatch && (nth === undefined || matches === nth)
  }
}
