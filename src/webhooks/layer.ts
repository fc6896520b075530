import { FiberRef, Layer } from "effect"
import { backgroundPriority } from "../runtime/PriorityScheduler.ts"
import { deliveryLoop, deliveryMetrics } from "./DeliveryLoop.ts"
import { ReceiverClient, type ReceiverSettings } from "./ReceiverClient.ts"
import { WebhookEndpoints, type WebhookLimits } from "./WebhookEndpoints.ts"
import { WebhookSender } from "./WebhookSender.ts"

/** The endpoints of platforms for the HTTP API, and the loop that delivers events to them in the background. */
export const webhooksLayer = (settings: ReceiverSettings & WebhookLimits) =>
  Layer.mergeAll(deliveryLoop, deliveryMetrics).pipe(
    Layer.provideMerge(Layer.merge(WebhookEndpoints.layer(settings), WebhookSender.layer)),
    Layer.provide(ReceiverClient.layer(settings)),
    Layer.locally(FiberRef.currentSchedulingPriority, backgroundPriority)
  )
