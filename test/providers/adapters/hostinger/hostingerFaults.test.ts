import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import { faultMatrix } from "../faultMatrix.ts"
import { hostingerState, makeFakeHostinger } from "./FakeHostinger.ts"
import { hostingerUnderTest, zone } from "./hostingerUnderTest.ts"

describeIfPossible("at Hostinger", missingVendorData, () =>
  faultMatrix("Hostinger", {
    makeFake: (options) => makeFakeHostinger(hostingerState({ [zone]: [] }), options),
    adapterFor: (fake, http) => hostingerUnderTest(fake, { http }),
    writes: "sets",
    storesApexAlias: true
  })
)
