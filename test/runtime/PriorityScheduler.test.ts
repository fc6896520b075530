import { expect, test } from "bun:test"
import { Effect } from "effect"
import { backgroundPriority, PriorityScheduler } from "../../src/runtime/PriorityScheduler.ts"
import { live } from "../support/effectTest.ts"

const keepBusy = (millis: number) =>
  Effect.sync(() => {
    const end = performance.now() + millis
    while (performance.now() < end);
  })

/** Takes steps of a millisecond, one at a time among all fibers, until `isDone`. */
const stepUntil = (isDone: () => boolean, onStep: () => void = () => {}) =>
  keepBusy(1).pipe(
    Effect.zipRight(Effect.sync(onStep)),
    Effect.zipLeft(Effect.yieldNow()),
    Effect.repeat({ until: isDone })
  )

const inBackground = Effect.withSchedulingPriority(backgroundPriority)

const scheduled = <A, E>(effect: Effect.Effect<A, E>) =>
  Effect.suspend(() => Effect.withScheduler(effect, new PriorityScheduler()))

live("the event loop serves sockets and timers, however many fibers are ready", () =>
  scheduled(
    Effect.gen(function* () {
      let [isServed, isTimerDone, ended] = [false, false, 0]
      const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("here") })
      setTimeout(() => (isTimerDone = true), 0)
      void fetch(server.url).then(() => (isServed = true))
      yield* Effect.forEach(
        Array.from({ length: 300 }),
        () =>
          Effect.yieldNow().pipe(
            Effect.zipRight(keepBusy(isServed ? 0 : 1)),
            Effect.tap(() => Effect.sync(() => (ended += isServed && isTimerDone ? 0 : 1)))
          ),
        { concurrency: "unbounded" }
      )
      expect(ended).toBeLessThan(300)
      yield* Effect.promise(() => server.stop(true))
    })
  )
)

live("background work runs after everything else that is ready", () =>
  scheduled(
    Effect.gen(function* () {
      const order: Array<string> = []
      const note = (name: string) =>
        Effect.yieldNow().pipe(Effect.zipRight(Effect.yieldNow()), Effect.zipRight(Effect.sync(() => order.push(name))))
      yield* Effect.all([inBackground(note("phase")), note("request"), note("another request")], {
        concurrency: "unbounded"
      })
      expect(order).toEqual(["request", "another request", "phase"])
    })
  )
)

live("background work goes on while requests never end", () =>
  scheduled(
    Effect.gen(function* () {
      let steps = 0
      const phase = inBackground(
        stepUntil(
          () => steps >= 5,
          () => (steps += 1)
        )
      )
      yield* Effect.all([phase, stepUntil(() => steps >= 5)], { concurrency: "unbounded" })
      expect(steps).toBe(5)
    })
  )
)

live("phases of two tenants take turns, and so do those of one", () =>
  scheduled(
    Effect.gen(function* () {
      const order: Array<string> = []
      const phase = (tenant: number, name: string) =>
        Effect.withSchedulingPriority(
          Effect.repeatN(
            Effect.zipRight(
              Effect.yieldNow(),
              Effect.sync(() => order.push(name))
            ),
            2
          ),
          backgroundPriority + tenant
        )
      yield* Effect.all([phase(7, "a1"), phase(7, "a2"), phase(7, "a3"), phase(9, "b")], { concurrency: "unbounded" })
      expect(order.filter((name) => name !== "b")).toEqual(["a1", "a2", "a3", "a1", "a2", "a3", "a1", "a2", "a3"])
      const places = order.flatMap((name, place) => (name === "b" ? [place] : []))
      expect(places.every((place, nth) => place <= 2 * nth + 2)).toBe(true)
    })
  )
)

live("a tenant with long steps leaves out turns", () =>
  scheduled(
    Effect.gen(function* () {
      let [longSteps, shortSteps] = [0, 0]
      const isDone = () => shortSteps >= 200
      const takeSteps = (tenant: number, millis: number, onStep: () => void) =>
        keepBusy(millis).pipe(
          Effect.zipRight(Effect.sync(onStep)),
          Effect.zipLeft(Effect.yieldNow()),
          Effect.repeat({ until: isDone }),
          Effect.withSchedulingPriority(backgroundPriority + tenant)
        )
      const long = takeSteps(7, 5, () => (longSteps += 1))
      const short = takeSteps(9, 0.1, () => (shortSteps += 1))
      yield* Effect.all([long, short], { concurrency: "unbounded" })
      expect(longSteps).toBeLessThan(100)
    })
  )
)

test("after a step that throws the others run, in a process that goes on", () => {
  const module = new URL("../../src/runtime/PriorityScheduler.ts", import.meta.url).pathname
  const program = `
    import { backgroundPriority, PriorityScheduler } from ${JSON.stringify(module)}
    process.on("uncaughtException", ({ message }) => console.log(message))
    const scheduler = new PriorityScheduler()
    scheduler.scheduleTask(() => Bun.sleepSync(5), 0)
    scheduler.scheduleTask(() => console.log("request"), 0)
    scheduler.scheduleTask(() => { throw new Error("phase") }, backgroundPriority)`
  const { stdout } = Bun.spawnSync([process.execPath, "-e", program])
  expect(`${stdout}`.trim().split("\n").toSorted()).toEqual(["phase", "request"])
})
