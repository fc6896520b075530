import { Effect, type Scope } from "effect"
import { live } from "../../../support/effectTest.ts"
import { adapterContract } from "../adapterContract.ts"
import { desecUnderTest, makeFakeWith } from "./desecUnderTest.ts"

adapterContract<Scope.Scope>(
  live,
  Effect.map(makeFakeWith(), (fake) => desecUnderTest(fake))
)
