/** A difference between a site and a release. */
export type SiteProblem = {
  /** Path below the site's origin. */
  readonly path: string
  readonly kind: 'changed' | 'missing' | 'extra' | 'header' | 'signature' | 'config' | 'unreadable'
  /** One sentence. It may contain text of the site. */
  readonly detail: string
}
