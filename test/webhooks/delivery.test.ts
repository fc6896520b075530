import { deliveryContract } from "./deliveryContract.ts"
import { webhooksInMemory } from "./webhookServices.ts"

deliveryContract("webhooks over stores in memory", webhooksInMemory)
