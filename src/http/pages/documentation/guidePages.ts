import type { DocumentationPage, PagePart, PageSection } from "./DocumentationPage.ts"
import { guidesPath } from "./paths.ts"
import { type Guide, guidePath, renderGuide, sectionsOf, summaryOf, titleOf } from "./renderGuide.ts"
import { renderCards } from "./renderIntroduction.ts"

/** The guides in the order in which a reader needs them; a guide that no list names comes last. */
const order: ReadonlyArray<readonly [section: PageSection, names: string]> = [
  [
    "Guides for platforms",
    "concepts providers first-connection test-mode embedding sdk webhooks lifecycle control mail-records errors-and-warnings versioning"
  ],
  [
    "Guides for operators",
    "operations configuration administration audit own-dns-servers oauth-clients domain-connect dry-run security"
  ],
  ["The service itself", "glossary provider-evidence adding-a-provider testing benchmarks decisions/README"]
]

/** A page for each guide, and one that lists them. */
export const listGuidePages = (
  guides: ReadonlyArray<Guide>,
  images: ReadonlyArray<string>
): ReadonlyArray<DocumentationPage> => {
  const listed = order.flatMap(([section, names]) =>
    names.split(" ").flatMap((name) => {
      const guide = guides.find(({ file }) => file === `${name}.md`)
      return guide === undefined ? [] : [{ guide, section }]
    })
  )
  const others = guides
    .filter((guide) => !listed.some((entry) => entry.guide === guide))
    .map((guide) => ({
      guide,
      section: guide.file.includes("/") ? ("Unlisted" as const) : ("The service itself" as const)
    }))
  const pages = [...listed, ...others].map(({ guide, section }): DocumentationPage => ({
    path: guidePath(guide.file),
    title: titleOf(guide),
    summary: summaryOf(guide),
    section,
    layout: "prose",
    parts: section === "Unlisted" ? [] : partsOf(guide),
    render: () => renderGuide(guide, guides, images)
  }))
  return [overviewOf(pages), ...pages]
}

const partsOf = (guide: Guide): ReadonlyArray<PagePart> =>
  sectionsOf(guide).map(({ anchor, heading, text }) => ({ anchor, title: heading, kind: "Guide", text }))

const overviewOf = (pages: ReadonlyArray<DocumentationPage>): DocumentationPage => ({
  path: guidesPath,
  title: "Guides",
  summary: "Every guide, with what is in it and for whom.",
  section: "Start",
  layout: "prose",
  parts: [],
  render: () =>
    `<h1>Guides</h1>${order.map(([section]) => `<h2>${section}</h2>${renderCards(pages, section)}`).join("")}`
})
