import { expect } from "bun:test"
import { Effect } from "effect"
import { Tables } from "../../support/memory/Tables.ts"
import { advanceTime, commandsFor, controlTest, platform, readState } from "../phases/scriptedProvider.ts"
import { connect, forgetControl, rival } from "./controlSteps.ts"

controlTest("the younger of two that were active on a host before an upgrade can give up a change", () =>
  Effect.gen(function* () {
    const id = yield* connect()
    yield* forgetControl(id)
    // The upgrade gave the host to the older one, of another tenant.
    yield* Effect.map(Tables, ({ hostHolders }) => {
      for (const [key, holder] of hostHolders) hostHolders.set(key, { ...holder, tenancy: rival })
    })
    const change = commandsFor(id).changeIntent([platform, { host: "news", type: "CNAME", value: "shops.example.net" }])
    yield* change
    yield* commandsFor(id).cancel
    expect(yield* readState(id)).toBe("active")
    yield* change
    yield* advanceTime("8 days")
    expect(yield* readState(id)).toBe("active")
  })
)
