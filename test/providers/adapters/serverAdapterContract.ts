import { expect } from "bun:test"
import { Effect } from "effect"
import { DomainName } from "../../../src/domain/names/DomainName.ts"
import { defaultTimeouts } from "../../../src/providers/ProviderClient.ts"
import { describeRecords } from "../../planning/roundTrip/RoundTrip.ts"
import { Lab } from "../../support/lab/Lab.ts"
import { tcpProxy } from "../../support/lab/TcpProxy.ts"
import { describeLab } from "../../support/lab/describeLab.ts"
import {
  failureOf,
  openZone,
  planFrom,
  resolvedIntentOf,
  sendWrites,
  type ServerAdapterUnderTest,
  silenceTimeouts
} from "./AdapterUnderTest.ts"
import { adapterContract } from "./adapterContract.ts"

/** The contract of an adapter on a real server of the lab, also when its answers are lost, cut and late. */
export const serverAdapterContract = (
  name: string,
  subjectIn: (lab: typeof Lab.Service) => ServerAdapterUnderTest
): void =>
  describeLab(`the ${name} adapter`, (live) => {
    const subject = Effect.map(Lab, subjectIn)
    adapterContract(live, subject)

    for (const { code, fault } of [
      { fault: "swallow", code: "apply_timeout" },
      { fault: "cut", code: "provider_unavailable" }
    ] as const)
      live(`reports an unknown outcome if the response to a successful write is lost (${fault})`, () =>
        Effect.gen(function* () {
          const adapter = yield* subject
          const domain = `${fault}.${adapter.zone}`
          const proxy = yield* tcpProxy(adapter.target)
          const timeouts = fault === "swallow" ? silenceTimeouts : defaultTimeouts
          const opened = yield* openZone(
            adapter,
            { domain: DomainName.make(domain) },
            adapter.clientAt(proxy, timeouts)
          )
          const snapshot = yield* opened.read
          const { changes } = planFrom(snapshot, resolvedIntentOf(domain, { desired: ["www 300 A 192.0.2.1"] }), opened)
          yield* proxy.injectFault(fault, adapter.isWrite)
          const failure = yield* Effect.flip(sendWrites(snapshot, changes))
          expect(failure).toMatchObject({ _tag: "OutcomeUnknown", code })
          expect(describeRecords((yield* opened.read).zone.records)).toEqual(["www 300 A 192.0.2.1"])
        })
      )

    for (const { code, fault } of [
      { fault: "swallow", code: "provider_snapshot_timeout" },
      { fault: "shorten", code: "provider_unavailable" },
      { fault: "cut", code: "provider_unavailable" },
      { fault: "refuse", code: "provider_unavailable" }
    ] as const)
      live(`fails to read, and does not return an empty zone, if the response is incomplete (${fault})`, () =>
        Effect.gen(function* () {
          const adapter = yield* subject
          const proxy = yield* tcpProxy(adapter.target)
          const timeouts = fault === "swallow" ? silenceTimeouts : defaultTimeouts
          const opened = yield* openZone(adapter, {}, adapter.clientAt(proxy, timeouts))
          yield* proxy.injectFault(fault, () => true)
          const attempts = [opened.read, openZone(adapter, {}, adapter.clientAt(proxy, timeouts))]
          expect(yield* Effect.forEach(attempts, failureOf, { concurrency: "unbounded" })).toEqual([
            code,
            "provider_unavailable"
          ])
        })
      )
  })
