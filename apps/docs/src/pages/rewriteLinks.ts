import { posix } from 'node:path'

/** Resolves a file or folder of the repository to a path of the site. Undefined if the site has no page for it. */
export type LinkResolver = (target: string) => string | undefined

const link = /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\((?!\w+:|#|\/)([^)#\s]+)(#[^)\s]*)?\)/g
const fence = /^(```[\s\S]*?^```)$/m

/**
 * Rewrites the relative links of a document to paths of the site. A link to a file that the site does not have, such as a
 * source, becomes text with the file's path.
 *
 * @param markdown the document
 * @param source its path in the repository
 */
export function rewriteLinks(markdown: string, source: string, resolve: LinkResolver): string {
  return markdown
    .split(fence)
    .map((part) => (part.startsWith('```') ? part : rewriteText(part, source, resolve)))
    .join('')
}

function rewriteText(text: string, source: string, resolve: LinkResolver): string {
  return text.replace(link, (_, mark: string, label: string, target: string, anchor = '') => {
    const file = posix.normalize(posix.join(posix.dirname(source), target))
    const path = resolve(file)
    if (path !== undefined) return `${mark}[${label}](${path}${String(anchor)})`
    return label.includes(posix.basename(file)) ? label : `${label} (\`${file}\`)`
  })
}
