import { Context, Effect, Either, Layer } from "effect"
import { type DomainName, nameOf } from "../domain/DomainName.ts"
import { type Asking, awaited, judged, type Outcome } from "./Asking.ts"
import { DnsClient } from "./DnsClient.ts"
import { type Endpoint, standardEndpoint } from "./Endpoint.ts"
import { heldBy } from "./Held.ts"
import { askAll, inquiriesFor, type Inquiry, type Said } from "./inquiries.ts"
import { type HostQuestion, hostToAsk } from "./namesToAsk.ts"
import { isSilence, NoAnswer, noAnswer } from "./NoAnswer.ts"
import { ServerAnswer } from "./serverAnswer.ts"
import { type ServerView, viewOf } from "./ServerView.ts"
import { strangeLabel } from "./strangeLabel.ts"
import type { NameServer } from "./Walk.ts"
import type { Message, Question } from "./wire/decodeAnswer.ts"

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
          const inquiries = hosts.flatMap(({ host, types }) =>
            inquiriesFor({ ...hostToAsk(nameOf(host, domain), label), types, wildcard: undefined })
          )
          return yield* Effect.forEach(
            resolvers,
            (resolver) =>
              allSaid((question) => judged(client.resolve(resolver, question), proven), inquiries).pipe(
                Effect.timeout("10 seconds"),
                Effect.orElseSucceed(() => inquiries.map(silent(new NoAnswer({ reason: "timed_out" })))),
                Effect.map((said) => viewOf(asServer(resolver), heldBy(said, []), { domain, zone }))
              ),
            { concurrency: "unbounded" }
          )
        })
      }))
    )
}

/** One resolver's word on all questions; one that is silent at the first of them is asked no more. */
const allSaid = (ask: Ask, [first, ...others]: ReadonlyArray<Inquiry>): Effect.Effect<ReadonlyArray<Said>> =>
  Effect.gen(function* () {
    if (first === undefined) return []
    const answer = yield* Effect.either(awaited(ask({ name: first.asked.name, type: first.type })))
    const rest =
      Either.isLeft(answer) && isSilence(answer.left)
        ? others.map(silent(answer.left))
        : yield* askAll(others, ask, maxInFlight)
    return [{ ...first, answer }, ...rest]
  })

type Ask = (question: Question) => Asking<ServerAnswer>

/** That there is nothing must be proven by a SOA (RFC 2308 section 5). */
const proven = (message: Message): Outcome<ServerAnswer> =>
  message.answers.length > 0 || message.authorities.some(({ type }) => type === "SOA")
    ? Either.right(ServerAnswer.Authoritative({ message }))
    : noAnswer("lame")

const silent =
  (noAnswer: NoAnswer) =>
  (inquiry: Inquiry): Said => ({ ...inquiry, answer: Either.left(noAnswer) })

const maxInFlight = 64

const asServer = ({ host, port }: Endpoint): NameServer => ({
  name: port === standardEndpoint(host).port ? host : `${host}:${port}`,
  addresses: [host]
})
