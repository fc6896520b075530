import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import { faultMatrix } from "../faultMatrix.ts"
import { digitalOceanState, makeFakeDigitalOcean } from "./FakeDigitalOcean.ts"
import { digitalOceanUnderTest, zone } from "./digitalOceanUnderTest.ts"

describeIfPossible("at DigitalOcean", missingVendorData, () =>
  faultMatrix("DigitalOcean", {
    makeFake: (options) => makeFakeDigitalOcean(digitalOceanState({ [zone]: [] }), options),
    adapterFor: (fake, http) => digitalOceanUnderTest(fake, { http }),
    writes: "records",
    recordsOfTwoPages: 230
  })
)
