import { expect } from "bun:test"
import { Effect, Layer, Option } from "effect"
import { expirePhase } from "../../../src/lifecycle/phases/expirePhase.ts"
import { Credentials } from "../../../src/security/Credentials.ts"
import { apiToken } from "../../security/credentialsInMemory.ts"
import { effect } from "../../support/effectTest.ts"
import { connectionRecordIn, restoreDirection } from "../state/connectionRecords.ts"

/** The events of the phase, with a stored credential and without one. */
const eventsFor = (...recordArgs: Parameters<typeof connectionRecordIn>) =>
  Effect.forEach([Option.some(apiToken("s3cret")), Option.none()], (credential) =>
    Effect.provide(
      Effect.map(expirePhase(connectionRecordIn(...recordArgs)), ({ event }) => event._tag),
      Layer.mock(Credentials, { isStored: () => Effect.succeed(Option.isSome(credential)) })
    )
  )

effect("the expire phase closes an OAuth session that does not return from the provider in time", () =>
  Effect.map(eventsFor("authorizing"), (tags) => expect(tags).toEqual(["AuthorizationClosed", "AuthorizationClosed"]))
)

effect("the expire phase names the party that was waited for", () =>
  Effect.gen(function* () {
    const { event } = yield* Effect.provide(expirePhase(connectionRecordIn("authorizing")), Layer.mock(Credentials, {}))
    expect(event).toMatchObject({
      reason: Option.some({
        code: "authorization_expired",
        details: [{ message: "the customer did not come back from Acme DNS in time", server: "Acme DNS" }]
      })
    })
  })
)

effect("the expire phase plans an unapproved plan again while there is a credential, and expires it without one", () =>
  Effect.map(eventsFor("planned"), (tags) => expect(tags).toEqual(["PlanInvalidated", "Expired"]))
)

effect("the expire phase does not expire the plan of a connection that wrote or is being removed", () =>
  Effect.gen(function* () {
    expect(yield* eventsFor("planned", restoreDirection)).toEqual(["PlanInvalidated", "PlanInvalidated"])
    expect(yield* eventsFor("planned", { progress: { hasWritten: true } })).toEqual([
      "PlanInvalidated",
      "PlanInvalidated"
    ])
  })
)

effect("the expire phase expires a connection that was not authorized in time", () =>
  Effect.map(eventsFor("awaiting_authorization"), (tags) => expect(tags).toEqual(["Expired", "Expired"]))
)
