/** A page of the documentation. Its path is its identity: links, navigation and search name it by that. */
export interface DocumentationPage {
  readonly path: string
  readonly title: string
  /** A summary in a sentence or two. */
  readonly summary: string
  readonly section: PageSection
  /** A reference has examples beside its text, and so more width. */
  readonly layout: "prose" | "reference"
  /** The parts that the search finds beside the page itself. */
  readonly parts: ReadonlyArray<PagePart>
  /** Renders its content; it is rendered when it is first read. */
  readonly render: () => string
}

/** The section of a page in the navigation; links lead to pages that no list names. */
export type PageSection =
  | "Start"
  | "API"
  | "Guides for platforms"
  | "Guides for operators"
  | "The service itself"
  | "Unlisted"

/** The part of a page at an anchor. */
export interface PagePart {
  readonly anchor: string
  readonly title: string
  readonly kind: PartKind
  readonly text: string
}

/** The kind of a search result, as it is shown beside it. */
export type PartKind = "Operation" | "Object" | "Event" | "Error" | "Detail" | "Failure" | "Warning" | "Guide" | "Page"

/** The parts that the navigation lists below the page that is open. */
export const listedKinds: ReadonlyArray<PartKind> = ["Operation"]
