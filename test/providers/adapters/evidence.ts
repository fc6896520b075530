import type { AdapterEvidence } from "./AdapterEvidence.ts"
import { azureEvidence } from "./azure/evidence.ts"
import { cloudflareEvidence } from "./cloudflare/evidence.ts"
import { desecEvidence } from "./desec/evidence.ts"
import { digitalOceanEvidence } from "./digitalocean/evidence.ts"
import { dnsimpleEvidence } from "./dnsimple/evidence.ts"
import { gandiEvidence } from "./gandi/evidence.ts"
import { goDaddyEvidence } from "./godaddy/evidence.ts"
import { googleCloudDnsEvidence } from "./googleclouddns/evidence.ts"
import { hetznerEvidence } from "./hetzner/evidence.ts"
import { hostingerEvidence } from "./hostinger/evidence.ts"
import { infomaniakEvidence } from "./infomaniak/evidence.ts"
import { ionosEvidence, unitedDomainsEvidence } from "./ionos/evidence.ts"
import { linodeEvidence } from "./linode/evidence.ts"
import { namecomEvidence } from "./namecom/evidence.ts"
import { netlifyEvidence } from "./netlify/evidence.ts"
import { ovhEvidence } from "./ovh/evidence.ts"
import { porkbunEvidence } from "./porkbun/evidence.ts"
import { route53Evidence } from "./route53/evidence.ts"
import { simplyEvidence } from "./simply/evidence.ts"
import { spaceshipEvidence } from "./spaceship/evidence.ts"
import { transipEvidence } from "./transip/evidence.ts"
import { vercelEvidence } from "./vercel/evidence.ts"
import { vultrEvidence } from "./vultr/evidence.ts"
import { wixEvidence } from "./wix/evidence.ts"

/** What proves each adapter of the catalog, in the order of the names of their vendors. */
export const evidence: ReadonlyArray<AdapterEvidence> = [
  route53Evidence,
  azureEvidence,
  cloudflareEvidence,
  desecEvidence,
  digitalOceanEvidence,
  dnsimpleEvidence,
  gandiEvidence,
  goDaddyEvidence,
  googleCloudDnsEvidence,
  hetznerEvidence,
  hostingerEvidence,
  infomaniakEvidence,
  ionosEvidence,
  linodeEvidence,
  namecomEvidence,
  netlifyEvidence,
  ovhEvidence,
  porkbunEvidence,
  simplyEvidence,
  spaceshipEvidence,
  transipEvidence,
  unitedDomainsEvidence,
  vercelEvidence,
  vultrEvidence,
  wixEvidence
]
