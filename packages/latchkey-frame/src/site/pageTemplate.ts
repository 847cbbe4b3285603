/** A served page without the configuration that its deployment inserted. */
export type PageTemplate = {
  /** The page as the build wrote it, if nothing else was changed. */
  readonly template: string
  /** The inserted configuration. `undefined` if the page has none. */
  readonly config: unknown
}

/**
 * The text of the element can't end it early: it contains no `<`. A browser parses it as data, because its type is not one
 * of a script.
 */
const configElement = /(<script type="application\/json" id="latchkey-config">)([^<]*)(<\/script>)/g

/**
 * Separates a page from the configuration that the server inserts: the addresses of the services and the networks.
 *
 * @returns `undefined` if the page has more than one such element or no JSON in it
 */
export function separateConfig(page: string): PageTemplate | undefined {
  const [element, ...others] = page.matchAll(configElement)
  if (element === undefined) return { template: page, config: undefined }
  if (others.length > 0) return undefined
  const [whole, open = '', text = '', close = ''] = element
  const template = page.slice(0, element.index) + open + '{}' + close + page.slice(element.index + whole.length)
  try {
    return { template, config: JSON.parse(text) }
  } catch {
    return undefined
  }
}
