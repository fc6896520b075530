import { expect } from "bun:test"
import { Effect } from "effect"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { digitalOceanVendor, validToken } from "../providers/adapters/digitalocean/digitalOcean.ts"
import { shownCredential } from "../providers/adapters/shownCredential.ts"
import { startVendor, vendorsWithCredential } from "../providers/adapters/vendorsUnderTest.ts"
import { compileProgram } from "../support/compileProgram.ts"
import { describeIfPossible } from "../support/describeIfPossible.ts"
import { live } from "../support/effectTest.ts"
import { makeDescribedVendor } from "../support/vendors/DescribedVendor.ts"
import { makeVendorHosts, type VendorHosts, vendorHostsUnavailableReason } from "../support/vendors/VendorHosts.ts"
import { missingVendorData } from "../support/vendors/vendorData.ts"

const zone = "shop-of-a-customer.com"

const command = async (...args: ReadonlyArray<string>) => [
  await compileProgram(fileURLToPath(new URL("../../prove/main.ts", import.meta.url))),
  "provider",
  ...args
]

interface ProvenAccount {
  readonly id: string
  readonly zone: string
  readonly nameServers: ReadonlyArray<string>
  /** Of the credential. */
  readonly fields: Readonly<Record<string, string>>
}

/** Starts the proof at the vendor's own host, as an operator does. */
const startProof = (
  hosts: VendorHosts,
  { fields, id, nameServers, zone }: ProvenAccount,
  ...more: ReadonlyArray<string>
) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const directory = mkdtempSync(join(tmpdir(), "provider-proof-"))
      const recording = join(directory, "recording.json")
      const options = [
        `--zone=${zone}`,
        `--name-servers=${nameServers}`,
        `--recording=${recording}`,
        "--pause=0",
        ...more
      ]
      const child = Bun.spawn([...hosts.wrap(await command(id, ...options))], {
        env: { ...hosts.environment, PROOF_CREDENTIAL: JSON.stringify(fields) },
        stdin: "ignore",
        stdout: "pipe",
        stderr: "pipe"
      })
      return { child, directory, recording }
    }),
    ({ child, directory }) =>
      Effect.promise(async () => {
        child.kill("SIGKILL")
        await child.exited
        rmSync(directory, { recursive: true })
      })
  )

const outcomeOf = ({ child, recording }: Effect.Effect.Success<ReturnType<typeof startProof>>) =>
  Effect.promise(async () => {
    const [stdout, stderr, exitCode] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited
    ])
    return { stdout, stderr, exitCode, recording: readFileSync(recording, "utf8") }
  })

const digitalOcean = {
  id: "digitalocean",
  zone,
  fields: { apiToken: validToken },
  nameServers: ["ns1.digitalocean.com", "ns2.digitalocean.com", "ns3.digitalocean.com"]
}

const startDigitalOcean = (hosts: VendorHosts) =>
  makeDescribedVendor(digitalOceanVendor, { [zone]: "www 1800 A 192.0.2.7" }, hosts.listener("api.digitalocean.com"))

/** One vendor for each form of authorization and of bodies; the lives of connections as a process have all of them. */
const forms = ["digitalocean", "desec", "googleclouddns", "ionos", "route53", "transip"]

const unavailable = missingVendorData ?? vendorHostsUnavailableReason()

describeIfPossible("bun run prove provider", unavailable, () => {
  for (const vendor of vendorsWithCredential.filter(({ id }) => forms.includes(id)))
    live(`passes every row at the fake, leaves the zone as it was, and records nothing private: ${vendor.id}`, () =>
      Effect.gen(function* () {
        const { id } = vendor
        const { hosts, subject } = yield* startVendor(vendor)
        const before = yield* subject.dump
        const fields = shownCredential(subject.credential)
        const account = { id, zone: subject.zone, nameServers: subject.nameServers, fields }
        const proof = yield* startProof(hosts, account)
        const { exitCode, recording, stderr, stdout } = yield* outcomeOf(proof)
        expect(stderr.split("\n").filter((line) => line.startsWith("failed: "))).toEqual([])
        expect([exitCode, JSON.parse(stdout).passed]).toEqual([0, true])
        expect((yield* subject.dump).toSorted()).toEqual(before.toSorted())
        for (const secret of Object.values(fields)) expect(stderr + stdout + recording).not.toContain(secret)
        for (const hidden of [subject.zone, "authorization", "5d3f1b9c0000", "bakery-4711", "ya29.", "transip-valid"])
          expect(recording.toLowerCase()).not.toContain(hidden)
        expect(stderr).toContain("passed: refuses each record that the vendor cannot store")
        const { scenarios } = JSON.parse(recording)
        expect(scenarios.length).toBeGreaterThan(40)
        expect(scenarios[0].interactions[0].status).toBe(200)
      })
    )

  live("removes what it made when it is interrupted, and writes what it has recorded until then", () =>
    Effect.gen(function* () {
      const hosts = yield* makeVendorHosts(["api.digitalocean.com"])
      const fake = yield* startDigitalOcean(hosts)
      const before = fake.state().zones
      const proof = yield* startProof(hosts, digitalOcean)
      fake.beforeCall({ method: "POST", nth: 20 }, () => proof.child.kill("SIGINT"))
      const { exitCode, recording, stderr } = yield* outcomeOf(proof)
      expect(stderr).toContain("the zone is as it was before")
      expect(exitCode).toBe(130)
      expect(fake.state().zones).toEqual(before)
      expect(JSON.parse(recording).scenarios.length).toBeGreaterThan(1)
    })
  )

  live("fails a row when the vendor does, names it, and still removes what it made", () =>
    Effect.gen(function* () {
      const hosts = yield* makeVendorHosts(["api.digitalocean.com"])
      const fake = yield* startDigitalOcean(hosts)
      const before = fake.state().zones
      fake.injectFault({ method: "POST", nth: 1 }, { change: "made", answer: { status: 500 } })
      const only = "leaves no changes to plan: a record of every type in an empty domain"
      const { exitCode, stderr, stdout } = yield* outcomeOf(yield* startProof(hosts, digitalOcean, `--only=${only}`))
      expect(exitCode).toBe(1)
      expect(stderr).toContain(`failed: ${only}`)
      expect(JSON.parse(stdout).figures.failed).toEqual([only])
      expect(fake.state().zones).toEqual(before)
    })
  )

  live("refuses a provider without an adapter, and a credential of another kind without quoting it", () =>
    Effect.gen(function* () {
      const hosts = yield* makeVendorHosts(["api.digitalocean.com"])
      const refusalOf = (id: string, credential: string) =>
        Effect.map(
          Effect.flatMap(
            Effect.promise(() => command(id, `--zone=${zone}`, "--name-servers=ns1.digitalocean.com")),
            (words) => hosts.run(words, { PROOF_CREDENTIAL: credential })
          ),
          ({ exitCode, stderr, stdout }) => ({ exitCode, text: stderr + stdout })
        )
      expect((yield* refusalOf("namecheap", "{}")).text).toContain("name a provider with an adapter: ")
      const { exitCode, text } = yield* refusalOf("digitalocean", '{"apiKey":"hush"}')
      expect(exitCode).toBe(1)
      expect(text).toContain("PROOF_CREDENTIAL must be JSON with the fields of the kind api_token")
      expect(text).not.toContain("hush")
    })
  )
})
