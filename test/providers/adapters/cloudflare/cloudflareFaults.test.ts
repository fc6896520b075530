import { testFaults } from "../vendorTests.ts"
import { cloudflareWith } from "./cloudflare.ts"

// Fewer than the adapter asks for, as the API gives to some plans, so that a zone of two pages is soon made.
testFaults({ ...cloudflareWith({ plan: "enterprise", largestPage: 100 }), recordsOfTwoPages: 110 })
