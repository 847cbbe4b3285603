/** The placeholder for the configuration in an app's page. */
const placeholder = /(<script type="application\/json" id="latchkey-config">)\s*\{\}\s*(<\/script>)/

/**
 * Writes a configuration into the placeholder of an app's page.
 *
 * @throws Error if the page has no empty `<script type="application/json" id="latchkey-config">{}</script>`.
 */
export function injectPageConfig(page: string, config: object): string {
  if (!placeholder.test(page)) throw new Error('The page has no place for its configuration.')
  // A "<" inside JSON could end the script element early.
  const json = JSON.stringify(config).replaceAll('<', '\\u003c')
  return page.replace(placeholder, (_, open: string, close: string) => open + json + close)
}
