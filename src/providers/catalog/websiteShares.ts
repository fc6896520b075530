import type { Provider } from "../../domain/provider/Provider.ts"

/** A group of providers of the survey, and its share of all websites in per cent. */
export interface WebsiteShare {
  readonly percent: number
  readonly providers: ReadonlyArray<Provider["id"]>
}

/** W3Techs, survey of DNS servers, as read on 12 September 2026: it counts the brands of a company together. */
export const websiteShares: ReadonlyArray<WebsiteShare> = [
  { percent: 18.5, providers: ["cloudflare"] },
  { percent: 9.9, providers: ["godaddy"] },
  { percent: 4.6, providers: ["hostinger"] },
  { percent: 3.7, providers: ["ionos", "unitedomains", "strato"] },
  { percent: 3.7, providers: ["wix"] },
  { percent: 3.6, providers: ["bluehost", "hostgator", "networksolutions"] },
  { percent: 3.4, providers: ["route53"] },
  { percent: 2.8, providers: ["transip", "simply", "combell", "loopia"] },
  { percent: 2.6, providers: ["googleclouddns"] },
  { percent: 1.9, providers: ["namecheap"] },
  { percent: 1.9, providers: ["ovh"] },
  { percent: 1.7, providers: ["onamae"] },
  { percent: 1.4, providers: ["siteground"] },
  { percent: 1.3, providers: ["nsone", "netlify"] },
  { percent: 1.3, providers: ["xserver"] },
  { percent: 1.2, providers: ["aruba"] },
  { percent: 1.1, providers: ["onecom"] },
  { percent: 1, providers: ["gandi"] },
  { percent: 0.9, providers: ["squarespace"] },
  { percent: 0.8, providers: ["regru"] },
  { percent: 0.7, providers: ["sakuracloud"] },
  { percent: 0.7, providers: ["vercel"] },
  { percent: 0.6, providers: ["wordpresscom"] },
  { percent: 0.5, providers: ["hetzner"] },
  { percent: 0.5, providers: ["allinkl"] },
  { percent: 0.5, providers: ["azure"] },
  { percent: 0.5, providers: ["beget"] },
  { percent: 0.5, providers: ["aliyun"] },
  { percent: 0.5, providers: ["a2"] }
]
