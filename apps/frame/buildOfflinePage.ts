import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { build } from 'vite'

/** Path of the page in the build. It is a download: the policy of the site would not run its inline script. */
export const offlinePagePath = 'offline/recover.html'

/**
 * Builds the page that opens a recovery file: one HTML file that needs no server and that its own policy keeps from every
 * network request.
 *
 * @param root the folder of the frame
 * @returns the HTML
 */
export async function buildOfflinePage(root: string): Promise<string> {
  const entry = join(root, 'src/offline/main.ts')
  const result = await build({
    configFile: false,
    root,
    logLevel: 'error',
    mode: 'production',
    resolve: { conditions: ['source', 'module', 'browser', 'development|production'] },
    build: {
      write: false,
      target: 'es2022',
      modulePreload: false,
      cssCodeSplit: false,
      rolldownOptions: { input: entry, output: { codeSplitting: false } },
    },
  })
  const outputs = (Array.isArray(result) ? result : [result]).flatMap((each) => ('output' in each ? each.output : []))
  const script = outputs.flatMap((each) => (each.type === 'chunk' ? [each.code] : [])).join('\n')
  const style = outputs
    .flatMap((each) => (each.type === 'asset' ? [Buffer.from(each.source).toString()] : []))
    .join('\n')
  return pageOf(withoutEndTags(script), withoutEndTags(style))
}

/** An end tag inside of a script or style would end its element. In JavaScript and CSS the escape means the same. */
function withoutEndTags(code: string): string {
  return code.replaceAll(/<\/(script|style)/gi, '<\\/$1').trim()
}

function pageOf(script: string, style: string): string {
  const policy = [
    `default-src 'none'`,
    `script-src '${integrityOf(script)}' 'wasm-unsafe-eval'`,
    `style-src '${integrityOf(style)}'`,
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ')
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${policy}" />
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
    <meta name="color-scheme" content="light dark" />
    <meta name="referrer" content="no-referrer" />
    <title>Latchkey</title>
    <style>${style}</style>
  </head>
  <body data-page>
    <main class="stage" id="stage"></main>
    <script type="module">${script}</script>
  </body>
</html>
`
}

function integrityOf(code: string): string {
  return `sha256-${createHash('sha256').update(code).digest('base64')}`
}
