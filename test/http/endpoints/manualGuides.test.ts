import { expect } from "bun:test"
import { Effect, Layer, Schema, type Scope } from "effect"
import { ObservationsDocument } from "../../../src/domain/plan/ObservationsDocument.ts"
import { initialRecords, type ScriptedProvider, scriptedProvider } from "../../lifecycle/phases/scriptedProvider.ts"
import { live } from "../../support/effectTest.ts"
import { readServerSentEvents } from "../../support/readServerSentEvents.ts"
import { createTestConnection } from "../../support/TestConnection.ts"
import { get, issueKey, jsonOf, send, storesInMemory, tenancyOf } from "../../support/testApi.ts"
import { apiWithLifecycle } from "../support/apiWithLifecycle.ts"

type GuideServices = Layer.Layer.Success<ReturnType<typeof apiWithLifecycle>>

const withApi = (
  name: string,
  body: (acme: ScriptedProvider) => Effect.Effect<unknown, unknown, GuideServices | Scope.Scope>
) =>
  live(name, () => {
    const acme = scriptedProvider(...initialRecords, "www 300 A 192.0.2.7")
    return Effect.provide(body(acme), Layer.provideMerge(apiWithLifecycle(acme), storesInMemory))
  })

const www = { host: "www", type: "CNAME", value: "shops.example.net" }

/** A connection of these records of `example.com` at a provider with these name servers, and how its records are read. */
const connectAt = (
  acme: ScriptedProvider,
  nameServers: ReadonlyArray<string>,
  records: ReadonlyArray<object> = [www],
  tenant = "tenant"
) =>
  Effect.gen(function* () {
    yield* acme.moveTo(...nameServers)
    const { key } = yield* issueKey(tenancyOf("app", tenant))
    const connection = yield* createTestConnection(key, { domain: "example.com", records })
    const path = `/v1/connections/${connection.id}`
    const readRecords = Effect.flatMap(Effect.flatMap(get(`${path}/records`, key), jsonOf), (body) =>
      Effect.as(Schema.decodeUnknown(ObservationsDocument)(body), body)
    )
    return { ...connection, key, path, readRecords }
  })

const summaryOf = (guides: ReadonlyArray<any> = []) =>
  guides.map(({ hints, nameServers, provider, tasks }) => ({
    provider: provider?.id,
    nameServers,
    hints: hints.map(({ code }: any) => code),
    tasks: tasks.map(({ action, fields, isDone, removes }: any) => [
      action,
      isDone,
      ...fields.map(({ alternative, value }: any) =>
        [value, alternative].filter((text) => text !== undefined).join(" or ")
      ),
      ...removes.map(({ type, value }: any) => `− ${type} ${value}`)
    ])
  }))

/** An address stood at the host, so that the records alone prove no control. */
const challenge = ["add", false, "TXT", expect.stringMatching(/^_domain-connection/), expect.stringContaining("=")]

const goDaddy = ["ns59.domaincontrol.com", "ns60.domaincontrol.com"]

withApi(
  "a customer of a known provider gets its guide, until nothing is left to do, and another one to undo it",
  (acme) =>
    Effect.gen(function* () {
      const { command, created, readRecords, waitForState } = yield* connectAt(acme, goDaddy)
      expect([created.state, created.provider.detection]).toEqual([
        "awaiting_manual",
        { method: "nameserver", nameServers: goDaddy }
      ])
      const open = { provider: "godaddy", nameServers: goDaddy, hints: ["second_factor"] }
      const task = ["CNAME", "www", "shops.example.net", "− A 192.0.2.7"]
      const { guides } = yield* readRecords
      expect(guides[0]).toMatchObject({
        provider: { id: "godaddy", name: "GoDaddy" },
        dnsPageUrl: "https://dcc.godaddy.com/control/example.com/dns",
        path: ["Domains", "DNS of the domain"],
        addButton: "Add"
      })
      expect(summaryOf(guides)).toEqual([{ ...open, tasks: [challenge, ["add", false, ...task]] }])

      const challengeLine = `_domain-connection 300 TXT ${created.control.challenge.value}`
      yield* acme.serve(...initialRecords, challengeLine, "www 300 A 192.0.2.7")
      yield* command("recheck")
      yield* Effect.repeat(Effect.delay(readRecords, "20 millis"), {
        until: ({ guides }): boolean => guides[0].tasks[0].isDone
      })
      expect((yield* readRecords).guides[0].tasks.map(({ isDone }: any) => isDone)).toEqual([true, false])

      yield* acme.serve(...initialRecords, challengeLine, "www 300 CNAME shops.example.net")
      yield* command("recheck")
      yield* waitForState("active")
      expect(yield* readRecords).not.toHaveProperty("guides")

      yield* command("disconnect")
      yield* Effect.repeat(Effect.delay(readRecords, "20 millis"), {
        until: ({ guides }): boolean => guides !== undefined
      })
      expect(summaryOf((yield* readRecords).guides)).toEqual([
        {
          ...open,
          tasks: [
            ["add", false, "A", "www", "192.0.2.7", "− CNAME shops.example.net"],
            ["remove", ...challenge.slice(1)]
          ]
        }
      ])
    })
)

withApi("a customer whose provider nobody knows gets the name servers, and both forms of each field", (acme) =>
  Effect.gen(function* () {
    const { readRecords } = yield* connectAt(acme, ["ns1.rare-host.net", "ns2.rare-host.net"])
    const { guides } = yield* readRecords
    expect(summaryOf(guides)).toEqual([
      {
        provider: undefined,
        nameServers: ["ns1.rare-host.net", "ns2.rare-host.net"],
        hints: ["find_who_runs_name_servers"],
        tasks: [
          challenge,
          ["add", false, "CNAME", "www or www.example.com", "shops.example.net or shops.example.net.", "− A 192.0.2.7"]
        ]
      }
    ])
    expect(guides[0].hints[0].message).toContain("They belong to rare-host.net.")
  })
)

withApi("a customer of two providers gets a guide for each, with its own name servers and forms", (acme) =>
  Effect.gen(function* () {
    const { readRecords } = yield* connectAt(acme, ["dns1.registrar-servers.com", ...goDaddy])
    const { guides } = yield* readRecords
    expect(summaryOf(guides)).toEqual([
      {
        provider: "godaddy",
        nameServers: goDaddy,
        hints: ["second_factor"],
        tasks: [challenge, ["add", false, "CNAME", "www", "shops.example.net", "− A 192.0.2.7"]]
      },
      {
        provider: "namecheap",
        nameServers: ["dns1.registrar-servers.com"],
        hints: ["save_and_publish"],
        tasks: [challenge, ["add", false, "CNAME", "www", "shops.example.net.", "− A 192.0.2.7"]]
      }
    ])
  })
)

withApi("the stream sends the guides with the records", (acme) =>
  Effect.gen(function* () {
    const { key, path, readRecords } = yield* connectAt(acme, goDaddy)
    const next = yield* readServerSentEvents(
      yield* send(`${path}/stream`, { headers: { "x-api-key": key, accept: "text/event-stream" } })
    )
    const event = yield* Effect.repeat(next, { until: (received) => received?.event === "records" })
    expect(summaryOf(JSON.parse(event?.data ?? "{}").guides)).toEqual(summaryOf((yield* readRecords).guides))
  })
)

withApi("a connection that the service writes has no guide, unless the customer chooses to enter the records", (acme) =>
  Effect.gen(function* () {
    const { command, created, readRecords } = yield* connectAt(acme, ["ns1.acme-dns.net"])
    expect([created.state, (yield* readRecords).guides]).toEqual(["awaiting_authorization", undefined])
    yield* command("authorization", { method: "manual" })
    expect(summaryOf((yield* readRecords).guides)).toMatchObject([{ provider: "acme-dns", hints: [] }])
  })
)

const shop = { host: "shop", type: "CNAME", value: "shops.example.net" }

withApi("a challenge that is still awaited once the records are there is a task of its own", (acme) =>
  Effect.gen(function* () {
    const { command, created, readRecords, waitForState } = yield* connectAt(acme, goDaddy, [shop])
    const task = ["add", false, "CNAME", "shop", "shops.example.net"]
    expect([created.plan.changes.length, summaryOf((yield* readRecords).guides)[0]?.tasks]).toEqual([1, [task]])
    // From now on the entered records alone would prove nothing.
    yield* connectAt(acme, goDaddy, [shop], "rival")
    yield* acme.serve(...initialRecords, "shop 300 CNAME shops.example.net")
    yield* command("recheck")
    yield* waitForState("verifying")
    const { guides } = yield* Effect.repeat(Effect.delay(readRecords, "20 millis"), {
      until: ({ guides }): boolean => guides !== undefined
    })
    expect(summaryOf(guides)[0]?.tasks).toEqual([challenge])
  })
)

withApi("a record that is missing again has a guide where only the customer can enter it", (acme) =>
  Effect.gen(function* () {
    const { command, readRecords, waitForState } = yield* connectAt(acme, goDaddy, [shop])
    yield* acme.serve(...initialRecords, "shop 300 CNAME shops.example.net")
    yield* command("recheck")
    yield* waitForState("active")
    yield* acme.serve(...initialRecords)
    yield* command("recheck")
    yield* waitForState("degraded")
    expect(summaryOf((yield* readRecords).guides)).toMatchObject([
      { provider: "godaddy", tasks: [["add", false, "CNAME", "shop", "shops.example.net"]] }
    ])
  })
)
