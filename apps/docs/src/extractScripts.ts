import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const inlineScript = /<script(?![^>]*\bsrc=)(?![^>]*type="(?!module)[^"]*")([^>]*)>([\s\S]*?)<\/script>/g

/** The two scripts of VitePress that run before the first paint. The first one sets the theme. */
const headScripts = /(<script id="check-dark-mode">[^<]*)<\/script>\s*<script id="check-mac-os">/

/**
 * Moves the inline scripts of a page into files, so that the policy `script-src 'self'` needs no exception. The two
 * that delay the first paint become one file.
 *
 * @param page the HTML
 * @param folder the folder of the built site; the files are written into its folder `assets`
 */
export async function extractScripts(page: string, folder: string): Promise<string> {
  const joined = page.replace(headScripts, '$1;')
  const found = [...joined.matchAll(inlineScript)].map(([element, attributes = '', code = '']) => {
    const name = `inline.${createHash('sha256').update(code).digest('hex').slice(0, 8)}.js`
    return { element, code, name, replacement: `<script${attributes} src="/assets/${name}"></script>` }
  })
  await mkdir(join(folder, 'assets'), { recursive: true })
  await Promise.all(found.map(({ name, code }) => writeFile(join(folder, 'assets', name), code)))
  return found.reduce((text, { element, replacement }) => text.replace(element, () => replacement), joined)
}

/**
 * Removes the style attributes of a page, which the policy `style-src 'self'` ignores with an error. The theme's scripts set them
 * again, in a way that the policy allows.
 */
export function removeStyleAttributes(page: string): string {
  return page.replaceAll(/(<[a-z][^<>]*?)\sstyle="[^"]*"/g, '$1')
}
