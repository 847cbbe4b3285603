/** Where an app's page has room for its configuration. */
const placeholder = /(<script type="application\/json" id="latchkey-config">)\s*\{\}\s*(<\/script>)/

/**
 * Writes a configuration into an app's page, where the app reads it.
 *
 * @throws Error when the page has no empty `<script type="application/json" id="latchkey-config">{}</script>`.
 */
export function writeConfig(page: string, config: object): string {
  if (!placeholder.test(page)) throw new Error('The page has no place for its configuration.')
  // A "<" inside JSON could end the script element early.
  const json = JSON.stringify(config).replaceAll('<', '\\u003c')
  return page.replace(placeholder, (_, open: string, close: string) => open + json + close)
}
