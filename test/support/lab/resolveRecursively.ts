import { isSubdomainOf, type Reply, replyOf } from "./Zone.ts"
import type { LabQuestion, LabRecord } from "./packet.ts"

/** Queries the server at an address; `undefined` if there is no usable answer. */
type UpstreamQuery = (address: string, question: LabQuestion, transport: "udp" | "tcp") => Promise<Reply | undefined>

/** Resolves like a recursive resolver, from the root and through CNAMEs; SERVFAIL if no server answers. */
export const resolveRecursively = async (
  question: LabQuestion,
  root: string,
  ask: UpstreamQuery,
  depth = 0
): Promise<Reply> => {
  const chain: Array<LabRecord> = []
  if (depth > 8) return failed
  for (let { name } = question; chain.length < 12;) {
    const reply = await followReferrals({ ...question, name }, root, ask, depth)
    if (reply === undefined) return failed
    chain.push(...reply.answers)
    const alias = reply.answers.at(-1)
    const isAlias = alias?.type === "CNAME" && question.type !== "CNAME" && question.type !== "ANY"
    if (!isAlias || reply.rcode !== "NOERROR")
      return replyOf(reply.rcode, { recursionAvailable: true, answers: chain, authority: reply.authority })
    name = alias.data
  }
  return failed
}

const failed = replyOf("SERVFAIL", { recursionAvailable: true })

/** Follows referrals from the root to the servers of the name and returns their answer. */
const followReferrals = async (
  question: LabQuestion,
  root: string,
  ask: UpstreamQuery,
  depth: number
): Promise<Reply | undefined> => {
  let servers: ReadonlyArray<string> = [root]
  for (let zone = "."; servers.length > 0;) {
    const reply = await firstUsableReply(servers, question, ask, zone)
    if (reply === undefined || reply.authoritative) return reply
    zone = reply.authority[0]?.name.toLowerCase() ?? zone
    servers = await addressesIn(reply, root, ask, depth)
  }
  return undefined
}

/** The first usable answer: an authoritative one, or a referral to a deeper zone. */
const firstUsableReply = async (
  servers: ReadonlyArray<string>,
  question: LabQuestion,
  ask: UpstreamQuery,
  zone: string
) => {
  for (const address of servers) {
    const overUdp = await ask(address, question, "udp")
    const reply = overUdp?.truncated ? await ask(address, question, "tcp") : overUdp
    if (reply?.authoritative && (reply.rcode === "NOERROR" || reply.rcode === "NXDOMAIN")) return reply
    const below = reply?.authority[0]?.name.toLowerCase()
    if (reply?.rcode === "NOERROR" && below !== undefined && below !== zone && isSubdomainOf(zone, below)) return reply
  }
  return undefined
}

const addressesIn = async (
  referral: Reply,
  root: string,
  ask: UpstreamQuery,
  depth: number
): Promise<ReadonlyArray<string>> => {
  const glue = referral.additional.map(({ data }) => data)
  if (glue.length > 0) return glue
  const resolved = await Promise.all(
    referral.authority.map(({ data }) => resolveRecursively({ name: data, type: "A", class: 1 }, root, ask, depth + 1))
  )
  return resolved.flatMap(({ answers }) => answers.filter(({ type }) => type === "A").map(({ data }) => data))
}
