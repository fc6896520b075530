import { fileURLToPath } from "node:url"
import { replaceGeneratedBlock } from "./markdown.ts"

/** The page about the dry run, of which the output of one command is generated. */
export const dryRunPagePath = new URL("../docs/dry-run.md", import.meta.url)

const command = [
  "bun run src/cli.ts plan --domain example.com --intent docs/dry-run/intent.json",
  "--zone-file docs/dry-run/db.example.com --context docs/dry-run/context.json --provider cloudflare"
]

/** Runs the command of the example and puts its output into the page. */
export const withDryRunExample = async (page: string): Promise<string> => {
  const [, ...words] = command.join(" ").split(" ")
  const child = Bun.spawn([process.execPath, ...words], {
    cwd: fileURLToPath(new URL("..", import.meta.url)),
    env: { NO_COLOR: "1" },
    stdin: "ignore",
    stdout: "pipe"
  })
  const output = await new Response(child.stdout).text()
  return replaceGeneratedBlock(
    "example",
    `\`\`\`console\n$ ${command.join(" \\\n    ")}\n${output.trim()}\n\`\`\``,
    page
  )
}

/** Writes the example of `docs/dry-run.md`: `bun run docs`. */
if (import.meta.main) await Bun.write(dryRunPagePath, await withDryRunExample(await Bun.file(dryRunPagePath).text()))
