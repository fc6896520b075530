import { Effect, type Scope } from "effect"
import type { FakeVendorOptions } from "../../support/vendors/FakeVendor.ts"
import type { TokenServer } from "../../support/vendors/TokenServer.ts"
import { makeVendorHosts } from "../../support/vendors/VendorHosts.ts"
import { serveVendor } from "../../support/vendors/VendorServer.ts"
import { azure } from "./azure/azure.ts"
import { cloudflare } from "./cloudflare/cloudflare.ts"
import { type DescribedAdapter, makeFakeOf, underTest } from "./DescribedAdapter.ts"
import { desec } from "./desec/desec.ts"
import { digitalOcean } from "./digitalocean/digitalOcean.ts"
import { dnsimple } from "./dnsimple/dnsimple.ts"
import { gandi } from "./gandi/gandi.ts"
import { goDaddy } from "./godaddy/goDaddy.ts"
import { googleCloudDns } from "./googleclouddns/googleCloudDns.ts"
import { hetzner } from "./hetzner/hetzner.ts"
import { hostinger } from "./hostinger/hostinger.ts"
import { infomaniak } from "./infomaniak/infomaniak.ts"
import { ionos, unitedDomains } from "./ionos/ionos.ts"
import { linode } from "./linode/linode.ts"
import { namecom } from "./namecom/namecom.ts"
import { netlify } from "./netlify/netlify.ts"
import { ovh } from "./ovh/ovh.ts"
import { porkbun } from "./porkbun/porkbun.ts"
import { route53 } from "./route53/route53.ts"
import { simply } from "./simply/simply.ts"
import { spaceship } from "./spaceship/spaceship.ts"
import { transip } from "./transip/transip.ts"
import { vercel } from "./vercel/vercel.ts"
import type { VendorAdapterUnderTest } from "./vendorContract.ts"
import { vultr } from "./vultr/vultr.ts"
import { wix } from "./wix/wix.ts"

/** A vendor whose fake other programs drive at its own host. */
export interface VendorUnderTest {
  /** In the catalog. */
  readonly id: string
  /** The host of its API. */
  readonly host: string
  readonly tokens?: TokenServer
  /** Its customers only consent there, so that no program can authorize the service with a credential. */
  readonly takesNoCredential?: true
  /** The TTL by which `replaceSets` leaves the choice to the vendor, where it has such a TTL. */
  readonly automaticTtl?: number
  /** Starts its fake, with one empty zone. */
  readonly make: (at: FakeVendorOptions) => Effect.Effect<VendorAdapterUnderTest, never, Scope.Scope>
}

const describedVendor = <Data>(adapter: DescribedAdapter<Data>): VendorUnderTest => ({
  id: adapter.id,
  host: new URL(adapter.vendor.baseUrl).host,
  ...(adapter.tokens === undefined ? {} : { tokens: adapter.tokens }),
  make: (at) => Effect.map(makeFakeOf(adapter, "", at), (fake) => underTest(adapter, fake))
})

/** One line for each vendor. */
export const vendorsUnderTest: ReadonlyArray<VendorUnderTest> = [
  describedVendor(azure),
  { ...describedVendor(cloudflare), automaticTtl: 1 },
  describedVendor(desec),
  describedVendor(digitalOcean),
  describedVendor(dnsimple),
  describedVendor(gandi),
  describedVendor(goDaddy),
  describedVendor(googleCloudDns),
  { ...describedVendor(hetzner), automaticTtl: 0 },
  describedVendor(hostinger),
  describedVendor(infomaniak),
  describedVendor(ionos),
  { ...describedVendor(linode), automaticTtl: 0 },
  describedVendor(namecom),
  describedVendor(netlify),
  { ...describedVendor(ovh), automaticTtl: 0, takesNoCredential: true },
  describedVendor(porkbun),
  describedVendor(route53),
  describedVendor(simply),
  describedVendor(spaceship),
  describedVendor(transip),
  describedVendor(unitedDomains),
  describedVendor(vercel),
  describedVendor(vultr),
  describedVendor(wix)
]

/** Those of them that a customer authorizes the service for with a credential. */
export const vendorsWithCredential = vendorsUnderTest.filter(({ takesNoCredential }) => takesNoCredential !== true)

/** Starts the fake of a vendor at the vendor's own hosts, whose time passes by itself. */
export const startVendor = ({ host, make, tokens }: VendorUnderTest) =>
  Effect.gen(function* () {
    const tokenHosts = tokens === undefined ? [] : [new URL(tokens.baseUrl).host]
    const hosts = yield* makeVendorHosts([host, ...tokenHosts])
    for (const tokenHost of tokenHosts)
      yield* Effect.orDie(serveVendor(async (request) => tokens?.react(request) ?? "cut", hosts.listener(tokenHost)))
    return { hosts, subject: yield* make({ ...hosts.listener(host), clock: Date.now }) }
  })
