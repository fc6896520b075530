import { deliveryContract } from "./deliveryContract.ts"
import { webhooksOnPostgres } from "./webhookServices.ts"

deliveryContract("webhooks over stores in PostgreSQL", webhooksOnPostgres)
