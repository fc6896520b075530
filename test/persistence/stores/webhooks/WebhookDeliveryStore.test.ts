import { Layer } from "effect"
import { Tables } from "../../../support/memory/Tables.ts"
import {
  webhookDeliveryStoreInMemory,
  webhookEndpointStoreInMemory
} from "../../../support/memory/webhookStoresInMemory.ts"
import { webhookDeliveryContract } from "../webhookDeliveryContract.ts"

webhookDeliveryContract(
  "the outbox in memory",
  Layer.provide(Layer.merge(webhookDeliveryStoreInMemory, webhookEndpointStoreInMemory), Tables.layer)
)
