import { expect, test } from "bun:test"
import { DomainName } from "../../../src/domain/DomainName.ts"
import { describeServerFailures } from "../../../src/lifecycle/state/failureDetails.ts"

const domain = DomainName.make("example.com")
const question = { name: "www.example.com", type: "TXT" } as const

test("what a server said is one sentence, with the question and without", () => {
  const server = "ns1.example.net"
  const sentences = (["timed_out", "budget_spent"] as const).flatMap((reason) =>
    describeServerFailures(
      [
        { server, reason, question },
        { server, reason }
      ],
      domain
    ).map(({ message }) => message)
  )
  expect(sentences).toEqual([
    "ns1.example.net, asked for TXT of www.example.com, did not answer",
    "ns1.example.net did not answer",
    "ns1.example.net was not asked for TXT of www.example.com, because the reading would have taken too many queries",
    "ns1.example.net was not asked, because the reading would have taken too many queries"
  ])
})
