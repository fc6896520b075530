import { FiberId, Scheduler } from "effect"

/** Interrupts the first fiber that it runs, at a step of that. */
export const interruptAtStep = (step: number): Scheduler.Scheduler => {
  let steps = 0
  let first: FiberId.FiberId | undefined
  return {
    shouldYield: (fiber) => {
      first ??= fiber.id()
      if (fiber.id() !== first || (steps += 1) !== step) return false
      fiber.unsafeInterruptAsFork(FiberId.none)
      return 0
    },
    scheduleTask: (task, priority, fiber) => Scheduler.defaultScheduler.scheduleTask(task, priority, fiber)
  }
}
