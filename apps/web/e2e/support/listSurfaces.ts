import type { BrowserContext, Frame } from '@playwright/test'

/** A string in which a secret may appear. */
export type Surface = { readonly name: string; readonly text: string }

/**
 * Reads the cookies, and the documents and storages of all pages and frames of a browser.
 *
 * @param urls the origins of the wallet's own pages, whose export page shows the secrets, and of the services, whose link
 *   pages contain the secret of the link. Both documents are left out.
 */
export async function listSurfaces(
  context: BrowserContext,
  urls: { readonly frame: string; readonly server: string },
): Promise<readonly Surface[]> {
  const cookies = await context.cookies().catch(() => [])
  const frames = context.pages().flatMap((page) => page.frames())
  const read = await Promise.all(frames.map((frame) => listFrameSurfaces(frame, urls)))
  return [{ name: 'the cookies', text: JSON.stringify(cookies) }, ...read.flat()]
}

const readLimitMs = 5_000

async function listFrameSurfaces(
  frame: Frame,
  urls: { readonly frame: string; readonly server: string },
): Promise<readonly Surface[]> {
  const url = frame.url()
  if (!url.startsWith('http') || url.startsWith(urls.server)) return []
  const showsSecrets = url.startsWith(`${urls.frame}/export`)
  // A frame that is being replaced never responds. Its successor is read, too.
  const late = new Promise<undefined>((resolve) => void setTimeout(resolve, readLimitMs))
  const read = await Promise.race([frame.evaluate(readPage).catch(() => undefined), late])
  if (read === undefined) return []
  const place = new URL(url).origin
  return [
    { name: `the address of ${place}`, text: url },
    { name: `the storage of ${place}`, text: read.storage },
    ...(showsSecrets ? [] : [{ name: `the document of ${place}`, text: read.document }]),
  ]
}

/** Runs in the page. */
async function readPage(): Promise<{ storage: string; document: string }> {
  /** JSON drops bytes and collections, in which a secret may hide. */
  const plain = (_: string, value: unknown): unknown => {
    if (value instanceof ArrayBuffer) return Array.from(new Uint8Array(value))
    if (ArrayBuffer.isView(value)) return Array.from(new Uint8Array(value.buffer, value.byteOffset, value.byteLength))
    return value instanceof Map || value instanceof Set ? [...value] : value
  }
  const settled = <value>(request: IDBRequest<value>): Promise<value | undefined> =>
    new Promise((resolve) => {
      request.addEventListener('success', () => resolve(request.result))
      request.addEventListener('error', () => resolve(undefined))
    })
  async function readDatabases(): Promise<unknown[]> {
    const all: unknown[] = []
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await settled(indexedDB.open(name))
      if (database === undefined) continue
      for (const store of database.objectStoreNames) {
        const entries = database.transaction(store).objectStore(store)
        all.push(await settled(entries.getAllKeys()), await settled(entries.getAll()))
      }
      database.close()
    }
    return all
  }
  const storages = (): string => {
    try {
      return JSON.stringify([{ ...localStorage }, { ...sessionStorage }])
    } catch {
      // The browser denies storage to this frame.
      return ''
    }
  }
  const databases = await readDatabases().catch(() => [])
  const roots = [document, ...[...document.querySelectorAll('*')].flatMap(({ shadowRoot }) => shadowRoot ?? [])]
  const markup = roots.map((root) => (root instanceof Document ? root.documentElement.outerHTML : root.innerHTML))
  return {
    storage: `${storages()} ${JSON.stringify(databases, plain)}`,
    // Markup contains no typed values: the user may type a code.
    document: markup.join('\n'),
  }
}
