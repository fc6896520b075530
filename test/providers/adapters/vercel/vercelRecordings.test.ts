import { expect } from "bun:test"
import { Effect, Schema } from "effect"
import { VercelPage } from "../../../../src/providers/adapters/vercel/makeVercelClient.ts"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import { createChange, deleteChange, makeFakeOf, recordAt, writeAt, writesTo, zone } from "../DescribedAdapter.ts"
import { recordedScenarios, testRecording } from "../recordingTests.ts"
import { readShown, validToken, vercel, vercelVendor } from "./vercel.ts"

const recording = { ...(await recordedScenarios("vercel")), zone: "fullcr1stal.tk" }

/** The answers of 2021 lack what the document requires of a domain; times of creation are those of the recording. */
const { document: _, ...undocumented } = vercelVendor

const tidyRecord = ({ creator, id, name, ttl, type, value }: any) => ({
  creator: creator === "system",
  id,
  name,
  ttl,
  type,
  value
})

testRecording(
  { name: "Vercel", vendor: undocumented },
  {
    ...recording,
    headers: { authorization: `Bearer ${validToken}` },
    readListed: (body, zone) => (body?.records ?? []).map((record: unknown) => readShown(zone, record)),
    createdBy: ({ method, responseBody }: { readonly method: string; readonly responseBody: any }) =>
      method === "POST" ? [responseBody.uid] : [],
    order: (one, other) => Number(one.data.created) - Number(other.data.created),
    tidy: (body) => {
      if (body.domain !== undefined) return [body.domain.name, body.domain.intendedNameservers]
      return body.records === undefined ? body : body.records.map(tidyRecord)
    }
  }
)

const shapeOf = (method: string, path: string, body: object) =>
  JSON.stringify([
    method,
    path.replace(recording.zone, zone).replace(/\/rec_\w+$|\/\d+$/, "/{id}"),
    Object.entries(body)
      .filter(([name]) => name !== "ttl")
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
  ])

describeIfPossible("the adapter of Vercel", missingVendorData, () => {
  live("decodes every list that was recorded", () =>
    Effect.gen(function* () {
      const lists = recording.exchanges.map(({ responseBody }: any) => responseBody).filter(({ records }) => records)
      expect(lists).toHaveLength(54)
      for (const list of lists) yield* Schema.decodeUnknown(VercelPage)(list)
    })
  )

  live("creates and deletes with the recorded requests", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(vercel)
      const text = recordAt("delete.testfilt", "TXT", "challengetoken")
      yield* writeAt(vercel, fake, createChange(recordAt("localhost", "A", "127.0.0.1")))
      yield* writeAt(vercel, fake, createChange(recordAt("docs", "CNAME", "docs.example.com")))
      yield* writeAt(vercel, fake, createChange(text))
      yield* writeAt(vercel, fake, deleteChange(text))
      const recorded = new Set(
        recording.exchanges.map(({ method, requestBody, url }) => shapeOf(method, url.pathname, Object(requestBody)))
      )
      const own = writesTo(fake).map(({ body, method, path }) => shapeOf(method, path, Object(body)))
      expect(own.filter((shape) => !recorded.has(shape))).toEqual([])
      expect(own).toHaveLength(4)
    })
  )
})
