import { Effect, type Scope } from "effect"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import { vendorContract } from "../vendorContract.ts"
import { makeFakeNetlify, netlifyState } from "./FakeNetlify.ts"
import { netlifyUnderTest, zone } from "./netlifyUnderTest.ts"

describeIfPossible("the adapter of Netlify", missingVendorData, () =>
  vendorContract<Scope.Scope>(
    live,
    Effect.map(makeFakeNetlify(netlifyState({ [zone]: [] })), (fake) => netlifyUnderTest(fake))
  )
)
