import { Effect } from "effect"
import type { Scope } from "effect"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import { vendorContract } from "../vendorContract.ts"
import { hostingerState, makeFakeHostinger } from "./FakeHostinger.ts"
import { hostingerUnderTest, zone } from "./hostingerUnderTest.ts"

describeIfPossible("the adapter of Hostinger on its fake", missingVendorData, () =>
  vendorContract<Scope.Scope>(
    live,
    Effect.map(makeFakeHostinger(hostingerState({ [zone]: [] })), (fake) => hostingerUnderTest(fake))
  )
)
