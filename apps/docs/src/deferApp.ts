const appScript = /<script type="module" src="([^"]+)"><\/script>\s*/
/** VitePress writes the icons of social links into it, and links it even if no page has any. */
const iconStyles = /<link [^>]*href="[^"]*vp-icons\.css"[^>]*>\s*/

/**
 * Lets a page load its app only after its first paint. The page is complete without it, and on a slow phone the app's files
 * would delay the style sheet, and its work the text.
 *
 * @param page the HTML that VitePress rendered
 * @throws Error if the page has no script for its app
 */
export function deferApp(page: string): string {
  const app = appScript.exec(page)?.[1]
  if (app === undefined) throw new Error('The page has no script for its app. VitePress may have changed its format.')
  const hasIcons = page.includes('vpi-social-')
  return page
    .replace(appScript, `<link rel="modulepreload" href="${app}">\n    `)
    .replace(hasIcons ? '' : iconStyles, '')
    .replaceAll('<link rel="modulepreload" ', '<link rel="modulepreload" fetchpriority="low" ')
    .replace('</body>', `<script type="module">${startScript(app)}</script>\n  </body>`)
}

/** A hidden page has no frames. The first frame appears on the screen about when the second begins. */
function startScript(app: string): string {
  return `const start = () => import('${app}')
if (document.visibilityState === 'hidden') start()
else requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(start)))
`
}
