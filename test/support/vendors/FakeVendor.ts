import { Duration, Effect, type Scope, Struct } from "effect"
import { type BodyFormat, jsonFormat } from "./BodyFormat.ts"
import { matchOperation } from "./matchOperation.ts"
import { type CallPattern, type LoggedCall, makeCallMatcher, type VendorAnswer, type VendorCall } from "./VendorCall.ts"
import type { VendorDocument } from "./VendorDocument.ts"
import { type ReceivedRequest, type Reaction, serveVendor, type VendorListener } from "./VendorServer.ts"
import { makeVendorState, type VendorState } from "./VendorState.ts"

/** What a vendor's API does, as pure functions over an immutable state `S`. */
export interface FakeVendorSpec<S> {
  /** As the adapter has it, without a slash at its end: `https://api.cloudflare.com/client/v4`. */
  readonly baseUrl: string
  readonly initial: S
  /** Judges requests and answers of JSON; absent where the vendor publishes none. */
  readonly document?: VendorDocument
  /** The answer to a caller whose credential is not valid, or does not allow the call. */
  readonly authenticate: (headers: Headers, call: VendorCall, request: ReceivedRequest) => VendorAnswer | undefined
  /** By method and path template below the base URL, as in the document: `GET /zones/{zone_id}`. */
  readonly operations: Readonly<Record<string, VendorOperation<S>>>
  /** The operations that show a list, which may lag behind. */
  readonly lists: ReadonlyArray<string>
  /** The operations that change nothing, besides those by GET. */
  readonly reads?: ReadonlyArray<string>
  /** The vendor's answer to a path that it does not have (404) and to a malformed request (400). */
  readonly refuse: (status: 400 | 404, problems: ReadonlyArray<string>) => VendorAnswer
  /** Headers of every answer, such as those of the rate limit. */
  readonly headers?: (call: VendorCall) => Readonly<Record<string, string>>
  /** How bodies are written, where that is not JSON. */
  readonly bodies?: BodyFormat
}

/** Answers a call, and says the next state if the call changes anything. */
export type VendorOperation<S> = (call: VendorCall, state: S) => VendorAnswer & { readonly state?: S }

/** Whether the call has its effect at the vendor, and what the caller gets instead of the answer. */
export interface VendorFault {
  /** `late`: made when the next write arrives, before that one. */
  readonly change: "made" | "not_made" | "late"
  readonly answer: Exclude<Reaction, VendorAnswer> | VendorAnswer
}

/** Each way in which any call may fail, for tests that try all of them at every call. */
export const vendorFaults = {
  "no answer, nothing done": { change: "not_made", answer: "silence" },
  "no answer, but done": { change: "made", answer: "silence" },
  "cut, nothing done": { change: "not_made", answer: "cut" },
  "cut, but done": { change: "made", answer: "cut" },
  "500, nothing done": { change: "not_made", answer: { status: 500 } },
  "500, but done": { change: "made", answer: { status: 500 } },
  "a redirect, nothing done": {
    change: "not_made",
    answer: { status: 302, headers: { location: "https://login.example/" } }
  },
  "a page of HTML, nothing done": {
    change: "not_made",
    answer: { status: 200, headers: { "content-type": "text/html" }, text: "<html><body>Maintenance</body></html>" }
  }
} as const satisfies Readonly<Record<string, VendorFault>>

/** A running fake of a vendor. Its scope closes with a defect if it saw anything that its document does not allow. */
export interface FakeVendor<S> {
  /** The vendor's own base URL. */
  readonly baseUrl: string
  /** Where requests for the origin of `baseUrl` have to go: `http://127.0.0.1:40123`. */
  readonly origin: string
  /** What the fake does with a request, without its way through the network. */
  readonly react: (request: ReceivedRequest) => Promise<Reaction>
  readonly state: () => S
  /** Changes the state as somebody else would: in the vendor's console, or with another program. */
  readonly update: (change: (state: S) => S) => void
  /** All calls so far, oldest first. */
  readonly calls: () => ReadonlyArray<LoggedCall>
  /** The first fault that was injected and fits a call is the one that happens. */
  readonly injectFault: (pattern: CallPattern, fault: VendorFault) => void
  /** Acts when a call has arrived and before it has any effect: between two pages, or between a read and a write. */
  readonly beforeCall: (pattern: CallPattern, act: () => void | Promise<void>) => void
  /** Ends all faults and all actions before calls. */
  readonly heal: () => void
  /** Lists show the state of so long ago, by the fake's clock; nothing from before this was said. */
  readonly setListLag: (lag: Duration.DurationInput) => void
  /** Moves the fake's clock, which stands still otherwise. */
  readonly advance: (by: Duration.DurationInput) => void
  /** Returns what the document did not allow so far, and forgets it: for tests that break the rules on purpose. */
  readonly takeViolations: () => ReadonlyArray<string>
}

export interface FakeVendorOptions extends VendorListener {
  /** Milliseconds since 1970, for fakes whose time shall pass by itself. */
  readonly clock?: () => number
  /** Without a server, only `react` reaches the fake. */
  readonly isServed?: boolean
}

/** Starts a fake, as a rule on loopback. Dies if its document lacks one of its operations, or if it cannot listen. */
export const makeFakeVendor = <S>(
  spec: FakeVendorSpec<S>,
  { clock = () => firstInstant, isServed = true, ...listener }: FakeVendorOptions = {}
): Effect.Effect<FakeVendor<S>, never, Scope.Scope> =>
  Effect.gen(function* () {
    yield* Effect.sync(() => Object.keys(spec.operations).forEach((name) => spec.document?.operation(name)))
    const violations: Array<string> = []
    yield* Effect.addFinalizer(() => (violations.length === 0 ? Effect.void : Effect.die(toError(spec, violations))))
    let moved = 0
    const now = () => clock() + moved
    const state = makeVendorState(spec.initial, now)
    const calls: Array<LoggedCall> = []
    let faults: ReadonlyArray<Arrangement<VendorFault>> = []
    let actions: ReadonlyArray<Arrangement<() => void | Promise<void>>> = []
    let lateCalls: ReadonlyArray<() => unknown> = []
    const base = new URL(spec.baseUrl)

    const react = async (request: ReceivedRequest): Promise<Reaction> => {
      const { call, problems } = understand(spec, base, request, calls.length + 1, now())
      const index = calls.push(toLogged(call, "silence")) - 1
      for (const { isMeant, what } of actions) if (isMeant(call)) await what()
      if (call.isWrite) {
        lateCalls.forEach((make) => make())
        lateCalls = []
      }
      const [fault] = faults.filter(({ isMeant }) => isMeant(call)).map(({ what }) => what)
      const report = (found: ReadonlyArray<string>) =>
        found.forEach((problem) => violations.push(`call ${call.number}, ${call.method} ${call.path}: ${problem}`))
      const make = () => answerCall(spec, state, request, call, problems, report)
      if (fault?.change === "late") lateCalls = [...lateCalls, make]
      const answer = fault === undefined || fault.change === "made" ? make() : undefined
      const reaction = encodeAnswer(spec, fault?.answer ?? answer ?? "silence")
      calls[index] = toLogged(call, typeof reaction === "string" ? reaction : reaction.status)
      return reaction
    }

    const origin = isServed ? yield* Effect.orDie(serveVendor(react, listener)) : base.origin
    return {
      baseUrl: spec.baseUrl,
      react,
      origin,
      state: state.current,
      update: (change) => state.replace(change(state.current())),
      calls: () => calls,
      injectFault: (pattern, fault) => {
        faults = [...faults, { isMeant: makeCallMatcher(pattern), what: fault }]
      },
      beforeCall: (pattern, act) => {
        actions = [...actions, { isMeant: makeCallMatcher(pattern), what: act }]
      },
      heal: () => {
        faults = []
        actions = []
      },
      setListLag: (lag) => state.setListLag(Duration.toMillis(lag)),
      advance: (by) => {
        moved += Duration.toMillis(by)
      },
      takeViolations: () => violations.splice(0)
    }
  })

/** 2026-01-01, so that times in answers are the same in every run. */
const firstInstant = Date.UTC(2026, 0, 1)

interface Arrangement<A> {
  readonly isMeant: (call: VendorCall) => boolean
  readonly what: A
}

const toError = <S>({ baseUrl }: FakeVendorSpec<S>, violations: ReadonlyArray<string>): Error =>
  new Error(`The fake of ${baseUrl} saw what its document does not allow:\n${violations.join("\n")}`)

const toLogged = (call: VendorCall, outcome: LoggedCall["outcome"]): LoggedCall => ({
  ...Struct.omit(call, "pathParameters"),
  query: call.query.toString(),
  outcome
})

/** What a request asks for, and what the fake itself cannot read in it. */
const understand = <S>(
  { bodies = jsonFormat, operations, reads = [] }: FakeVendorSpec<S>,
  base: URL,
  { headers, method, target, text }: ReceivedRequest,
  number: number,
  now: number
): { readonly call: VendorCall; readonly problems: ReadonlyArray<string> } => {
  const url = new URL(target, base)
  const basePath = base.pathname.replace(/\/$/, "")
  const isBelow = url.pathname.startsWith(`${basePath}/`)
  const path = isBelow ? url.pathname.slice(basePath.length) : url.pathname
  const match = isBelow ? matchOperation(Object.keys(operations), method, path) : undefined
  const { body, problems } = decode(text, bodies.decode)
  const conditions = [...headers].filter(([name]) => name === "if-match" || name === "if-none-match")
  const call: VendorCall = {
    number,
    method,
    path: decodeURIComponent(path),
    operation: match?.operation,
    isWrite: method !== "GET" && !reads.includes(match?.operation ?? ""),
    pathParameters: match?.pathParameters ?? {},
    query: url.searchParams,
    body,
    ...(conditions.length === 0 ? {} : { conditions: Object.fromEntries(conditions) }),
    now
  }
  return { call, problems }
}

const decode = (text: string, decodeBody: (text: string) => unknown) => {
  try {
    return { body: text === "" ? undefined : decodeBody(text), problems: [] }
  } catch (error) {
    return { body: undefined, problems: [`the body cannot be read: ${String(error)}`] }
  }
}

/** An answer whose body is a text, where the vendor does not write JSON. */
const encodeAnswer = <S>({ bodies }: FakeVendorSpec<S>, reaction: Reaction): Reaction => {
  if (bodies === undefined || typeof reaction === "string" || reaction.body === undefined) return reaction
  const { body, headers, ...answer } = reaction
  return { ...answer, headers: { "content-type": bodies.contentType, ...headers }, text: bodies.encode(body) }
}

/** Checks, answers and carries out a call. What the document does not allow is reported, whatever the caller makes of it. */
const answerCall = <S>(
  spec: FakeVendorSpec<S>,
  state: VendorState<S>,
  request: ReceivedRequest,
  call: VendorCall,
  problems: ReadonlyArray<string>,
  report: (problems: ReadonlyArray<string>) => void
): VendorAnswer => {
  const addHeaders = (answer: VendorAnswer) => ({
    ...answer,
    headers: { ...spec.headers?.(call), ...answer.headers }
  })
  const operation = call.operation === undefined ? undefined : spec.operations[call.operation]
  if (call.operation === undefined || operation === undefined) {
    report(["the fake has no such operation"])
    return addHeaders(spec.refuse(404, ["there is no such path"]))
  }
  const documented = spec.document?.operation(call.operation)
  const found = [...problems, ...(documented?.problemsOfRequest(call) ?? [])]
  report(found)
  const { state: next, ...answer }: ReturnType<VendorOperation<S>> =
    spec.authenticate(request.headers, call, request) ??
    (found.length > 0
      ? spec.refuse(400, found)
      : carryOut(operation, call, spec.lists.includes(call.operation) ? state.listed() : state.current(), report))
  if (next !== undefined) state.replace(next)
  report(documented?.problemsOfAnswer({ status: answer.status, body: answer.body }) ?? [])
  return addHeaders(answer)
}

const carryOut = <S>(
  operation: VendorOperation<S>,
  call: VendorCall,
  state: S,
  report: (problems: ReadonlyArray<string>) => void
): ReturnType<VendorOperation<S>> => {
  try {
    return operation(call, state)
  } catch (error) {
    report([`the fake failed: ${String(error)}`])
    return { status: 500 }
  }
}
