/** A page of the documentation. Its path is its identity: links, navigation and search name it by that. */
export interface DocumentationPage {
  readonly path: string
  readonly title: string
  /** What is on it, in a sentence or two. */
  readonly summary: string
  readonly section: PageSection
  /** A reference has examples beside its text, and so more width. */
  readonly layout: "prose" | "reference"
  /** What can be found on it, beside the page itself. */
  readonly parts: ReadonlyArray<PagePart>
  /** Renders its content; it is rendered when it is first read. */
  readonly render: () => string
}

/** Where a page stands in the navigation; those that no list names are reached by links. */
export type PageSection =
  | "Start"
  | "API"
  | "Guides for platforms"
  | "Guides for operators"
  | "The service itself"
  | "Unlisted"

/** What an anchor of a page shows. */
export interface PagePart {
  readonly anchor: string
  readonly title: string
  readonly kind: PartKind
  readonly text: string
}

/** What a result of the search is, as it is shown beside it. */
export type PartKind = "Operation" | "Object" | "Event" | "Error" | "Detail" | "Failure" | "Warning" | "Guide" | "Page"

/** The parts that the navigation lists below the page that is open. */
export const listedKinds: ReadonlyArray<PartKind> = ["Operation"]
