import { OpenApi } from "@effect/platform"
import { Api } from "../src/http/endpoints/Api.ts"

/** Writes the OpenAPI document to `docs/openapi.json`, so that reviews show its changes: `bun run openapi`. */
const document = `${JSON.stringify(OpenApi.fromApi(Api), undefined, 2)}\n`

await Bun.write(new URL("../docs/openapi.json", import.meta.url), document)
