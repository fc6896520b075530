import { Effect, type Scope } from "effect"
import { createPublicKey, verify } from "node:crypto"
import { Resolver } from "node:dns/promises"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { PowerDns } from "./PowerDns.ts"

/** A template as this provider reads it. */
interface OnboardedTemplate {
  readonly providerId: string
  readonly serviceId: string
  readonly syncPubKeyDomain: string
  readonly syncRedirectDomain: string
  readonly records: ReadonlyArray<{ readonly [member: string]: string | number }>
}

/**
 * A provider that takes part in Domain Connect, written from draft-ietf-dconn-domainconnect-05 and nothing of the service:
 * it verifies links, applies templates to zones of the lab's PowerDNS by the conflict rules, and sends customers back.
 */
export interface LabDomainConnect {
  /** What `_domainconnect` of a zone names. */
  readonly address: string
  /** Its certificate in PEM. */
  readonly certificate: string
  /** The paths that were asked for, without queries. */
  readonly calls: ReadonlyArray<string>
  readonly setTemplates: (templates: ReadonlyArray<OnboardedTemplate>) => void
  /** What the customer does on the page of consent. */
  readonly setCustomerDecision: (decision: "agree" | "cancel") => void
  /** The sets, `name. TYPE`, that it removes against the rules. */
  readonly setCarelessness: (sets: ReadonlyArray<string>) => void
}

interface ProviderOptions {
  readonly pdns: Pick<PowerDns, "dump" | "patch">
  /** The address of a resolver that finds the published keys. */
  readonly resolver: string
  readonly nameServers: ReadonlyArray<string>
  /** Whether a page asks the customer, in place of the decision that the test has set. */
  readonly hasPages?: boolean
}

/** Serves HTTPS at an address of the lab until the scope closes. */
export const makeDomainConnectProvider = ({
  hasPages = false,
  nameServers,
  pdns,
  resolver
}: ProviderOptions): Effect.Effect<LabDomainConnect, never, Scope.Scope> =>
  Effect.gen(function* () {
    const tls = yield* makeCertificate(address)
    const calls: Array<string> = []
    let templates: ReadonlyArray<OnboardedTemplate> = []
    let decision: "agree" | "cancel" = "agree"
    let careless: ReadonlyArray<string> = []
    const dns = new Resolver({ timeout: 1_000, tries: 3 })
    dns.setServers([resolver])

    const findTemplate = (path: string) =>
      templates.find(({ providerId, serviceId }) => path.includes(`/providers/${providerId}/services/${serviceId}`))

    const apply = async (url: URL, answer: string | undefined): Promise<Response> => {
      const template = findTemplate(url.pathname)
      if (template === undefined) return page(404, "This service is not known here.")
      if (!(await isSigned(dns, url, template.syncPubKeyDomain)))
        return page(403, "The signature of this link does not fit.")
      const { redirect_uri = "", state = "", ...values } = Object.fromEntries(parameters(url))
      if (!template.syncRedirectDomain.split(",").includes(new URL(redirect_uri).hostname))
        return new Response("a foreign page", { status: 403 })
      if (hasPages && answer === undefined)
        return page(200, `Let ${template.providerId} change ${values["domain"]}?`, form)
      const back = new URL(redirect_uri)
      back.searchParams.set("state", state)
      if ((answer ?? decision) === "cancel") {
        back.searchParams.set("error", "access_denied")
        back.searchParams.set("error_description", "user_cancel")
        return Response.redirect(back.href, 302)
      }
      await applyTo(pdns, template, values, careless)
      return Response.redirect(back.href, 302)
    }

    const server = yield* Effect.acquireRelease(
      Effect.sync(() =>
        Bun.serve({
          port: 443,
          hostname: address,
          tls,
          fetch: async (request) => {
            const url = new URL(request.url)
            calls.push(url.pathname)
            const [, zone] = /^\/v2\/([^/]+)\/settings$/.exec(url.pathname) ?? []
            if (zone !== undefined)
              return Response.json({
                providerId: "lab-connect.example",
                providerName: "Lab Connect",
                urlSyncUX: `https://${address}/sync`,
                urlAPI: `https://${address}`,
                urlControlPanel: `https://${address}/zones/%domain%`,
                nameServers,
                someLaterMember: true
              })
            if (url.pathname.startsWith("/sync/v2/domainTemplates/") && url.pathname.endsWith("/apply"))
              return apply(url, request.method === "POST" ? `${(await request.formData()).get("answer")}` : undefined)
            return findTemplate(url.pathname) === undefined
              ? new Response("", { status: 404 })
              : new Response("1", { status: 200 })
          }
        })
      ),
      (server) => Effect.promise(() => server.stop(true))
    )
    return {
      address: server.hostname ?? address,
      certificate: tls.cert,
      calls,
      setTemplates: (onboarded) => {
        templates = onboarded
      },
      setCarelessness: (sets) => {
        careless = sets
      },
      setCustomerDecision: (decided) => {
        decision = decided
      }
    }
  })

const address = "127.10.4.1"

const page = (status: number, text: string, more = ""): Response =>
  new Response(`<!doctype html><title>Lab Connect</title><h1>${text}</h1>${more}`, {
    status,
    headers: { "content-type": "text/html; charset=utf-8" }
  })

/** It is sent to the address of its page, so that the link is verified once more. */
const form = `<form method="post"><button name="answer" value="agree">Allow</button>
  <button name="answer" value="cancel">Cancel</button></form>`

/** The parameters as they were sent: RFC 3986, so that `+` is no space. */
const parameters = (url: URL): ReadonlyArray<readonly [string, string]> =>
  url.search
    .slice(1)
    .split("&")
    .map((pair) => pair.split("=").map(decodeURIComponent))
    .map(([name = "", value = ""]) => [name, value] as const)

/** Whether the query without `sig` and `key` was signed with the key that is published below the domain. */
const isSigned = async (dns: Resolver, url: URL, domain: string): Promise<boolean> => {
  const query = url.search
    .slice(1)
    .split("&")
    .filter((pair) => !/^(sig|key)=/.test(pair))
    .join("&")
  const { key = "", sig = "" } = Object.fromEntries(parameters(url))
  const texts = await dns.resolveTxt(`${key}.${domain}`).catch(() => [])
  const fragments = texts
    .map((strings) => strings.join(""))
    .map((text) => Object.fromEntries(text.split(",").map((member) => member.split(/=(.*)/s).slice(0, 2))))
    .toSorted((one, other) => Number(one["p"]) - Number(other["p"]))
    .map((fragment) => fragment["d"])
  if (fragments.length === 0) return false
  const publicKey = createPublicKey({ key: Buffer.from(fragments.join(""), "base64"), format: "der", type: "spki" })
  return verify("RSA-SHA256", Buffer.from(query), publicKey, Buffer.from(sig, "base64"))
}

interface ZoneLine {
  readonly name: string
  readonly ttl: number
  readonly type: string
  readonly content: string
}

const nameOfSet = ({ name, type }: ZoneLine): string => `${name} ${type}`

const applyTo = async (
  pdns: Pick<PowerDns, "dump" | "patch">,
  { records }: OnboardedTemplate,
  { domain = "", groupId, host = "", ...variables }: { readonly [name: string]: string },
  careless: ReadonlyArray<string>
): Promise<void> => {
  const apex = `${domain}.`
  const scope = host === "" ? apex : `${host}.${apex}`
  const groups = groupId?.split(",")
  const fill = (text: string | number = "") => `${text}`.replace(/%([^%]+)%/g, (_, name) => variables[name] ?? "")
  const wanted = records
    .filter(
      (record) => groups === undefined || record["groupId"] === undefined || groups.includes(`${record["groupId"]}`)
    )
    .map((record): ZoneLine & { readonly mode: string; readonly prefix: string } => {
      const type = `${record["type"]}`
      const label = fill(record["host"])
      const target = `${fill(record["pointsTo"]).replace(/\.$/, "")}.`
      return {
        type,
        name: label === "@" || label === "" ? scope : `${label}.${scope}`,
        ttl: Number(fill(record["ttl"])),
        content:
          type === "TXT"
            ? `"${fill(record["data"])}"`
            : type === "MX"
              ? `${fill(record["priority"])} ${target}`
              : type === "CNAME"
                ? target
                : fill(record["pointsTo"]),
        mode: `${record["txtConflictMatchingMode"] ?? "None"}`,
        prefix: `"${record["txtConflictMatchingPrefix"] ?? ""}`
      }
    })
  const present = (await Effect.runPromise(pdns.dump(domain))).map((line): ZoneLine => {
    const [name = "", , ttl = "", type = "", ...content] = line.split(" ")
    return { name, ttl: Number(ttl), type, content: content.join(" ") }
  })
  const kept = present.filter(
    (old) =>
      !careless.includes(nameOfSet(old)) &&
      !wanted.some(
        (record) =>
          record.name === old.name &&
          (record.type === "CNAME" ||
            old.type === "CNAME" ||
            (isAddress(record) && isAddress(old)) ||
            (record.type === "MX" && old.type === "MX") ||
            (record.type === "TXT" &&
              old.type === "TXT" &&
              (record.mode === "All" || (record.mode === "Prefix" && old.content.startsWith(record.prefix)))))
      )
  )
  const after = Map.groupBy([...kept, ...wanted], nameOfSet)
  const gone = [...new Set(present.map(nameOfSet))].filter((set) => !after.has(set))
  await Effect.runPromise(
    pdns.patch(domain, [
      ...gone.map((set) => {
        const [name = "", type = ""] = set.split(" ")
        return { name, type, changetype: "DELETE" as const }
      }),
      ...[...after.values()].flatMap((set) =>
        set.slice(0, 1).map(({ name, ttl, type }) => ({
          name,
          type,
          ttl,
          changetype: "REPLACE" as const,
          records: [...new Set(set.map(({ content }) => content))].map((content) => ({ content }))
        }))
      )
    ])
  )
}

const isAddress = ({ type }: ZoneLine): boolean => type === "A" || type === "AAAA"

/** Makes a certificate of an address and of these names. */
export const makeCertificate = (address: string, names: ReadonlyArray<string> = []) =>
  Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "domain-connect-"))),
    (directory) => Effect.sync(() => rmSync(directory, { recursive: true }))
  ).pipe(
    Effect.map((directory) => {
      const [key, cert] = [join(directory, "key.pem"), join(directory, "cert.pem")]
      const { exitCode, stderr } = Bun.spawnSync(
        [
          "openssl",
          "req",
          "-x509",
          "-newkey",
          "ec",
          "-pkeyopt",
          "ec_paramgen_curve:P-256",
          "-nodes",
          "-days",
          "2",
          "-subj",
          `/CN=${address}`,
          "-addext",
          [`subjectAltName=IP:${address}`, ...names.map((name) => `DNS:${name}`)].join(),
          "-keyout",
          key,
          "-out",
          cert
        ],
        { stderr: "pipe" }
      )
      if (exitCode !== 0) throw new Error(stderr.toString())
      return { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") }
    })
  )
