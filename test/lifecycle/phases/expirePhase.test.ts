import { expect } from "bun:test"
import { Effect, Layer, Option } from "effect"
import { expirePhase } from "../../../src/lifecycle/phases/expirePhase.ts"
import { Credentials } from "../../../src/security/Credentials.ts"
import { apiToken } from "../../security/credentialsInMemory.ts"
import { effect } from "../../support/effectTest.ts"
import { connectionRecordIn, restoreDirection } from "../state/connectionRecords.ts"

/** What happens where a credential is held, and where none is. */
const lapsed = (...standing: Parameters<typeof connectionRecordIn>) =>
  Effect.forEach([Option.some(apiToken("s3cret")), Option.none()], (credential) =>
    Effect.provide(
      Effect.map(expirePhase(connectionRecordIn(...standing)), ({ event }) => event._tag),
      Layer.mock(Credentials, { load: () => Effect.succeed(credential) })
    )
  )

effect("whoever does not come back from the provider in time has not let the service in", () =>
  Effect.map(lapsed("authorizing"), (tags) => expect(tags).toEqual(["AuthorizationClosed", "AuthorizationClosed"]))
)

effect("a plan that nobody approved is made anew while the service is let in, and expires then", () =>
  Effect.map(lapsed("planned"), (tags) => expect(tags).toEqual(["PlanInvalidated", "Expired"]))
)

effect("a plan of a connection that wrote or is leaving does not expire", () =>
  Effect.gen(function* () {
    expect(yield* lapsed("planned", restoreDirection)).toEqual(["PlanInvalidated", "PlanInvalidated"])
    expect(yield* lapsed("planned", { progress: { wrote: true } })).toEqual(["PlanInvalidated", "PlanInvalidated"])
  })
)

effect("a connection that nobody lets in expires", () =>
  Effect.map(lapsed("awaiting_authorization"), (tags) => expect(tags).toEqual(["Expired", "Expired"]))
)
