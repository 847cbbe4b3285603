import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { formatFullLlms, formatLlms, markdownPath, withoutFrontmatter } from './pages/formatLlms.ts'
import type { Page } from './pages/page.ts'

/**
 * Writes the pages into a folder that VitePress reads, plus images and `llms*.txt`, which are served unchanged.
 *
 * @param root the repository
 * @param folder is emptied first
 */
export async function writePages(root: string, folder: string, pages: readonly Page[]): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  const published = join(folder, 'public')
  await mkdir(published, { recursive: true })
  await Promise.all([
    writeChangedPages(folder, pages),
    ...pages.map((page) => writeText(join(published, markdownPath(page)), withoutFrontmatter(page.markdown))),
    writeText(join(published, 'llms.txt'), formatLlms(pages)),
    writeText(join(published, 'llms-full.txt'), formatFullLlms(pages)),
    cp(join(root, 'docs/pictures'), join(published, 'pictures'), { recursive: true }),
    cp(join(root, 'apps/web/public/icon.svg'), join(published, 'icon.svg')),
  ])
}

/** Writes the pages whose text differs from the one in the folder, so that only these are reloaded. */
export async function writeChangedPages(folder: string, pages: readonly Page[]): Promise<void> {
  await Promise.all(
    pages.map(async ({ path, markdown }) => {
      const file = join(folder, `${path}.md`)
      const previous = await readFile(file, 'utf8').catch(() => undefined)
      if (previous !== markdown) await writeText(file, markdown)
    }),
  )
}

async function writeText(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
}
