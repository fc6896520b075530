import { expect, test } from "bun:test"
import { findDuplicateTypeNames, findMisleadingIdentifiers } from "../../tools/checkTypeNames.ts"

const duplicatesIn = (texts: Readonly<Record<string, string>>) =>
  findDuplicateTypeNames(Object.entries(texts).map(([file, text]) => ({ file, text })))

test("a type that two files declare by one name is reported with both files", () =>
  expect(
    duplicatesIn({
      "b.ts": "export interface Place {\n  readonly host: string\n}\n",
      "a.ts": "/** Somewhere. */\nexport type Place = string\n",
      "c.ts": "export type Other = string\n"
    })
  ).toEqual([{ name: "Place", files: ["a.ts", "b.ts"] }]))

for (const declaration of [
  "export type Place<A> = A",
  "type Place<A> = A",
  "interface Place {",
  "export interface Place extends Base {",
  "export class Place extends Schema.Class<Place>('Place')({",
  "export abstract class Place {",
  "export declare class Place {",
  "export const Place = Schema.Literal('here')",
  "export enum Place {",
  "export default interface Place {",
  "export default abstract class Place {",
  "export namespace Place {",
  "declare namespace Place {",
  "export type { Site as Place }",
  "export { type Site as Place }",
  "export { Site as Place } from './a.ts'",
  "export type {\n  Other,\n  Site as Place\n} from './a.ts'",
  "export {\n  other,\n  type Site as Place,\n}",
  "export * as Place from './a.ts'",
  "export type * as Place from './a.ts'"
])
  test(`counts as a type: ${declaration}`, () =>
    expect(duplicatesIn({ "a.ts": declaration, "b.ts": "export type Place = string" })).toHaveLength(1))

for (const declaration of [
  "export type { Place } from './a.ts'",
  "export { type Place } from './a.ts'",
  "export { type Place as default }",
  "import type { Site as Place } from './a.ts'",
  "export { site as place }",
  "export { SITE as PLACE }",
  "export const place = 1",
  "export const PLACE = 1",
  "// export type Place = string",
  "  type Place = string",
  "const text = 'export type Place'"
])
  test(`does not count: ${declaration}`, () =>
    expect(duplicatesIn({ "a.ts": declaration, "b.ts": `export type Place = string\n${declaration}` })).toEqual([]))

test("a schema and its type in one file are one name", () =>
  expect(
    duplicatesIn({ "a.ts": "export const Place = Schema.String\nexport type Place = typeof Place.Type\n" })
  ).toEqual([]))

const misleadingIn = (texts: Readonly<Record<string, string>>) =>
  findMisleadingIdentifiers(Object.entries(texts).map(([file, text]) => ({ file, text })))

test("an identifier that is the name of another type is reported", () =>
  expect(
    misleadingIn({
      "a.ts": `const Site = Schema.Struct({}).annotations({ identifier: "Place" })\n`,
      "b.ts": "export interface Place {\n"
    })
  ).toEqual([{ identifier: "Place", schemas: ["Site in a.ts"] }]))

test("an identifier of two schemas is reported", () =>
  expect(
    misleadingIn({
      "a.ts": `const Site = Schema.Struct({}).annotations({\n  identifier: "Place"\n})\n`,
      "b.ts": `export const Spot = Schema.Struct({}).annotations({ identifier: "Place" })\n`
    })
  ).toEqual([{ identifier: "Place", schemas: ["Site in a.ts", "Spot in b.ts"] }]))

for (const schema of ["Place", "PlaceDocument", "PlaceRequest", "PlaceResponse"])
  test(`${schema} may have the identifier of the type Place`, () =>
    expect(
      misleadingIn({
        "a.ts": `export const ${schema} = Schema.Struct({}).annotations({ identifier: "Place" })\n`,
        ...(schema === "Place" ? {} : { "b.ts": "export interface Place {\n" })
      })
    ).toEqual([]))

test("a schema that is annotated once more keeps its identifier", () =>
  expect(
    misleadingIn({
      "a.ts": `const Place = Schema.Struct({}).annotations({ identifier: "Place" })\n\nconst create = endpoint.addSuccess(\n  Place.annotations(HttpApiSchema.annotations({ identifier: "Place", status: 201 }))\n)\n`
    })
  ).toEqual([]))
