import { Context, Effect, Either, Layer, Option } from "effect"
import { type DomainName, nameOf } from "../domain/DomainName.ts"
import { DnsClient } from "./DnsClient.ts"
import { type Endpoint, standardEndpoint } from "./Endpoint.ts"
import type { Said } from "./findings.ts"
import { heldBy } from "./Held.ts"
import { type AskedName, type HostQuestion, hostToAsk } from "./namesToAsk.ts"
import { NoAnswer } from "./NoAnswer.ts"
import { ServerAnswer } from "./serverAnswer.ts"
import { type ServerView, viewOf } from "./ServerView.ts"
import { strangeLabel } from "./strangeLabel.ts"
import type { NameServer } from "./Walk.ts"
import type { Message, Question } from "./wire/decodeAnswer.ts"
import type { TypeName } from "./wire/recordTypes.ts"

/** What to look for: some types at some hosts of a domain, in the zone that it belongs to. */
export interface PublicQuestion {
  readonly domain: DomainName
  readonly zone: DomainName
  readonly hosts: ReadonlyArray<HostQuestion>
}

/** A zone as the world sees it: what each of some recursive resolvers answers, from its cache or not. */
export class PublicView extends Context.Tag("dns/PublicView")<
  PublicView,
  { readonly look: (question: PublicQuestion) => Effect.Effect<ReadonlyArray<ServerView>> }
>() {
  /** The resolvers (`DNS_PUBLIC_RESOLVERS`), perhaps none. */
  static readonly layer = (resolvers: ReadonlyArray<Endpoint>): Layer.Layer<PublicView, never, DnsClient> =>
    Layer.effect(
      PublicView,
      Effect.map(DnsClient, (client) => ({
        look: Effect.fn("PublicView.look")(function* ({ domain, hosts, zone }) {
          const label = yield* strangeLabel
          const inquiries = hosts.flatMap(({ host, types }) => {
            const asked = { ...hostToAsk(nameOf(host, domain), label), types, wildcard: undefined }
            return types.map((type) => ({ asked, type }))
          })
          return yield* Effect.forEach(
            resolvers,
            (resolver) =>
              askAll((question) => client.resolve(resolver, question), inquiries).pipe(
                Effect.timeout("10 seconds"),
                Effect.orElseSucceed(() => inquiries.map(leftOpen(new NoAnswer({ reason: "timed_out" })))),
                Effect.map((said) => viewOf(asServer(resolver), heldBy(said, []), { domain, zone }))
              ),
            { concurrency: "unbounded" }
          )
        })
      }))
    )
}

/** One resolver's word on all questions; one that is silent at the first of them is asked no more. */
const askAll = (resolve: Resolve, [first, ...others]: ReadonlyArray<Inquiry>): Effect.Effect<ReadonlyArray<Said>> =>
  Effect.gen(function* () {
    if (first === undefined) return []
    const said = yield* askOne(resolve, first)
    const silence = Option.filter(Either.getLeft(said.answer), ({ reason }) => silences.has(reason))
    const rest = Option.isSome(silence)
      ? others.map(leftOpen(silence.value))
      : yield* Effect.forEach(others, (inquiry) => askOne(resolve, inquiry), { concurrency: maxInFlight })
    return [said, ...rest]
  })

const askOne = (resolve: Resolve, { asked, type }: Inquiry): Effect.Effect<Said> =>
  resolve({ name: asked.name, type }).pipe(
    Effect.filterOrFail(isProven, () => unproven),
    Effect.map((message) => ServerAnswer.Authoritative({ message })),
    Effect.either,
    Effect.map((answer) => ({ asked, type, answer }))
  )

interface Inquiry {
  readonly asked: AskedName
  readonly type: TypeName
}

type Resolve = (question: Question) => Effect.Effect<Message, NoAnswer>

/** That there is nothing must be proven by a SOA (RFC 2308 section 5). */
const isProven = ({ answers, authorities }: Message): boolean =>
  answers.length > 0 || authorities.some(({ type }) => type === "SOA")

const unproven = new NoAnswer({ reason: "lame" })

const silences: ReadonlySet<string> = new Set(["timed_out", "no_route"])

const leftOpen =
  (noAnswer: NoAnswer) =>
  (inquiry: Inquiry): Said => ({ ...inquiry, answer: Either.left(noAnswer) })

const maxInFlight = 64

const asServer = ({ host, port }: Endpoint): NameServer => ({
  name: port === standardEndpoint(host).port ? host : `${host}:${port}`,
  addresses: [host]
})
