import { Layer } from "effect"
import { WebhookDeliveryStore } from "../../../../src/persistence/stores/webhooks/WebhookDeliveryStore.ts"
import { WebhookEndpointStore } from "../../../../src/persistence/stores/webhooks/WebhookEndpointStore.ts"
import { freshPool } from "../../freshDatabase.ts"
import { webhookDeliveryContract } from "../webhookDeliveryContract.ts"

webhookDeliveryContract(
  "the outbox on PostgreSQL",
  Layer.provide(Layer.merge(WebhookDeliveryStore.layer, WebhookEndpointStore.layer), freshPool)
)
