import { describe, expect, test } from "bun:test"
import { Duration } from "effect"
import { judgeWatch, type WatchRules } from "../../prove/watch/judgeWatch.ts"
import type { RecordedConnection, WatchRecording } from "../../prove/watch/WatchRecording.ts"

const second = 1_000

const rules: WatchRules = {
  recheckInterval: Duration.seconds(60),
  confirmMissAfter: Duration.seconds(5),
  longestCheckMillis: 10 * second,
  longestTakeoverMillis: 5 * second
}

const zone = "one.com"

const servers = ["ns1", "ns2", "ns3"]

/** Questions every fifty seconds of the ten minutes. */
const allQuestions = Array.from({ length: 12 }, (_, nth) => nth * 50 * second)

/** A connection that was active before the run, and then in these states. */
const connectionWith = (
  later: ReadonlyArray<readonly ["active" | "degraded" | "failed", number]> = [],
  questionedAt = allQuestions
): RecordedConnection => {
  const states = [["verifying", -20] as const, ["active", -10] as const, ...later]
  return {
    id: "con_1",
    zone,
    servers,
    questionedAt,
    transitions: states.map(([to, at], nth) => ({ from: states[nth - 1]?.[0], to, at: at * second }))
  }
}

/** A run of ten minutes with one connection. */
const recordingOf = (connection: RecordedConnection, more: Partial<WatchRecording> = {}): WatchRecording => ({
  beganAt: 0,
  endedAt: 600 * second,
  connections: [connection],
  zoneChanges: [],
  serverChanges: [],
  processChanges: [],
  processes: 2,
  ...more
})

/** Changes of the zone at some servers: whether they have the right records from a second on. */
const changesAt = (of: ReadonlyArray<string>, ...changes: ReadonlyArray<readonly [at: number, isRight: boolean]>) =>
  changes.flatMap(([at, isRight]) => of.map((server) => ({ at: at * second, zone, server, isRight })))

const silencesOf = (of: ReadonlyArray<string>, from: number, until: number) =>
  [false, true].flatMap((isAnswering) =>
    of.map((server) => ({ at: (isAnswering ? until : from) * second, server, isAnswering }))
  )

/** The kinds of faults that the judge names. */
const faultsOf = (recording: WatchRecording) => {
  const { found: _, ...faults } = judgeWatch(recording, rules)
  return Object.entries(faults).flatMap(([kind, cases]) => cases.map(() => kind))
}

describe("nothing is wrong", () => {
  test("with a connection whose zone stays as it is", () => {
    expect(faultsOf(recordingOf(connectionWith()))).toEqual([])
  })

  test("with a drift that is found after two checks, and restored by the schedule", () => {
    const zoneChanges = changesAt(servers, [100, false], [300, true])
    const { found, ...faults } = judgeWatch(
      recordingOf(
        connectionWith([
          ["degraded", 150],
          ["active", 395]
        ]),
        { zoneChanges }
      ),
      rules
    )
    expect(Object.values(faults).flat()).toEqual([])
    expect(found).toEqual([{ afterMillis: 50 * second, promisedMillis: 65 * second }])
  })

  test("with a drift at one of three servers that is found in the third interval", () => {
    const zoneChanges = changesAt(["ns2"], [100, false])
    const { found } = judgeWatch(recordingOf(connectionWith([["degraded", 290]]), { zoneChanges }), rules)
    expect(found).toEqual([{ afterMillis: 190 * second, promisedMillis: 185 * second }])
  })

  test("with a drift that ended before it had to be found", () => {
    expect(
      faultsOf(recordingOf(connectionWith(), { zoneChanges: changesAt(servers, [100, false], [150, true]) }))
    ).toEqual([])
  })

  test("with a drift at a server that does not answer", () => {
    expect(
      faultsOf(
        recordingOf(connectionWith(), {
          zoneChanges: changesAt(["ns2"], [100, false]),
          serverChanges: silencesOf(["ns2"], 90, 600)
        })
      )
    ).toEqual([])
  })

  test("with checks that were late because no process lived, or another one took over", () => {
    const zoneChanges = changesAt(servers, [100, false])
    const killed = [
      { at: 110 * second, process: 0, isReady: false },
      { at: 110 * second, process: 1, isReady: false },
      { at: 150 * second, process: 0, isReady: true }
    ]
    const connection = connectionWith([["degraded", 215]])
    expect(faultsOf(recordingOf(connection, { zoneChanges, processChanges: killed }))).toEqual([])
    expect(faultsOf(recordingOf(connection, { zoneChanges }))).toEqual(["missed"])
  })
})

describe("the judge names", () => {
  test("a drift that was never found", () => {
    const { missed } = judgeWatch(
      recordingOf(connectionWith(), { zoneChanges: changesAt(servers, [100, false]) }),
      rules
    )
    expect(missed).toEqual(["one.com (con_1) has a drift, promised in 65.0 s and found never, 100.0 s"])
  })

  test("a drift that was found too late", () => {
    const { missed } = judgeWatch(
      recordingOf(connectionWith([["degraded", 200]]), { zoneChanges: changesAt(servers, [100, false]) }),
      rules
    )
    expect(missed).toEqual(["one.com (con_1) has a drift, promised in 65.0 s and found 25.0 s too late, 100.0 s"])
  })

  test("a drift that one server shows, after the turns of all", () => {
    expect(faultsOf(recordingOf(connectionWith(), { zoneChanges: changesAt(["ns2"], [100, false]) }))).toEqual([
      "missed"
    ])
  })

  test("a drift of a server that has come back", () => {
    const zoneChanges = changesAt(["ns2"], [100, false])
    expect(
      faultsOf(recordingOf(connectionWith(), { zoneChanges, serverChanges: silencesOf(["ns2"], 90, 300) }))
    ).toEqual(["missed"])
  })

  test("a connection that is degraded although its records are there", () => {
    expect(faultsOf(recordingOf(connectionWith([["degraded", 100]])))).toEqual(["falselyDegraded", "unrestored"])
  })

  test("a connection that is degraded because servers are silent", () => {
    const serverChanges = silencesOf(servers, 90, 600)
    expect(faultsOf(recordingOf(connectionWith([["degraded", 100]]), { serverChanges }))).toEqual(["falselyDegraded"])
  })

  test("a connection that is degraded by one check", () => {
    const zoneChanges = changesAt(servers, [100, false], [104, true], [380, false])
    expect(faultsOf(recordingOf(connectionWith([["degraded", 106]]), { zoneChanges }))).toContain("falselyDegraded")
    expect(faultsOf(recordingOf(connectionWith([["degraded", 382]]), { zoneChanges }))).toContain("falselyDegraded")
  })

  test("a connection that is restored while servers lack its records, or none answers", () => {
    const states = [
      ["degraded", 150],
      ["active", 200],
      ["degraded", 206]
    ] as const
    expect(faultsOf(recordingOf(connectionWith(states), { zoneChanges: changesAt(servers, [100, false]) }))).toEqual([
      "falselyRestored"
    ])
    const zoneChanges = changesAt(servers, [100, false], [170, true])
    const serverChanges = silencesOf(servers, 160, 600)
    expect(
      faultsOf(
        recordingOf(
          connectionWith([
            ["degraded", 150],
            ["active", 200]
          ]),
          { zoneChanges, serverChanges }
        )
      )
    ).toEqual(["falselyRestored"])
  })

  test("a connection that stays degraded although its records are back", () => {
    const zoneChanges = changesAt(servers, [100, false], [200, true])
    expect(faultsOf(recordingOf(connectionWith([["degraded", 150]]), { zoneChanges }))).toEqual(["unrestored"])
  })

  test("a connection that nobody checks any more", () => {
    const { unchecked } = judgeWatch(
      recordingOf(connectionWith([], [0, 50 * second, 100 * second, 300 * second])),
      rules
    )
    expect(unchecked).toEqual([
      "one.com (con_1) was not checked for 200.0 s, 100.0 s",
      "one.com (con_1) was not checked for 300.0 s, 300.0 s"
    ])
  })

  test("a connection that left the two states", () => {
    expect(faultsOf(recordingOf(connectionWith([["failed", 100]])))).toEqual(["strayed"])
  })
})
