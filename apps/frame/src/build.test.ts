import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildFromCopy } from './testing/buildFromCopy.ts'

const here = join(import.meta.dirname, '..')
const mostPackages = 25
const mostBytes = 90_700

let places: readonly string[]
let folders: readonly string[]

/** Builds the frame here, and from a copy of its sources as another machine would. */
beforeAll(async () => {
  const [outDir, copy] = await Promise.all([newFolder(), newFolder()])
  folders = [outDir, copy]
  await build({ root: here, logLevel: 'error', mode: 'production', build: { outDir, emptyOutDir: true } })
  places = [outDir, await buildFromCopy(copy)]
})
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))))

const newFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'latchkey-frame-'))

const read = (path: string, place = places[0] ?? ''): Promise<string> => readFile(join(place, path), 'utf8')

async function readManifest(): Promise<{ files: Record<string, string>; packages: string[] }> {
  return JSON.parse(await read('manifest.json'))
}

test('builds in two folders with other times, time zones and languages are byte-identical [S-01]', async () => {
  const [one, other] = await Promise.all(places.map((place) => read('manifest.json', place)))
  expect(other).toBe(one)
  const paths = Object.keys((await readManifest()).files)
  expect(paths).toEqual(expect.arrayContaining(['sdk/index.html', 'offline/recover.html']))
  for (const path of paths) expect(await read(path, places[1])).toBe(await read(path))
})

test('no file of the build names a folder of the machine that built it [S-01]', async () => {
  for (const path of Object.keys((await readManifest()).files))
    expect(await read(path)).not.toContain(join(here, '../..'))
})

test('the frame bundles exactly the listed packages', async () => {
  const wanted = (await readFile(join(here, 'packages.txt'), 'utf8')).trim().split('\n')
  expect((await readManifest()).packages).toEqual(wanted)
  expect(wanted.length).toBeLessThanOrEqual(mostPackages)
})

test('the pages have no inline scripts or styles, which the policy forbids [I-15]', async () => {
  // The offline page is a download. It has a policy of its own.
  const pages = Object.keys((await readManifest()).files).filter((path) => /^(?!offline\/).*\.html$/.test(path))
  expect(pages).toContain('sdk/index.html')
  for (const page of pages) {
    const html = await read(page)
    expect(html.match(/<script(?![^>]* src=)(?! type="application\/json")|<style| style=| on\w+=/g)).toBeNull()
  }
})

test('every script and style of a page has the digest of the manifest as its integrity [S-01]', async () => {
  const { files } = await readManifest()
  const pages = Object.keys(files).filter((path) => path.endsWith('/index.html'))
  expect(pages).toEqual(expect.arrayContaining(['account/index.html', 'export/index.html', 'sdk/index.html']))
  for (const page of pages) {
    const tags = (await read(page)).match(/<(?:script|link)\b[^>]*(?:src|href)="\/assets\/[^>]*>/g) ?? []
    expect(tags.some((tag) => tag.startsWith('<script'))).toBe(true)
    for (const tag of tags) {
      const [, asset = ''] = /(?:src|href)="\/(assets\/[^"]+)"/.exec(tag) ?? []
      const digest = Buffer.from(files[asset] ?? '', 'hex').toString('base64')
      expect(tag).toContain(` integrity="sha256-${digest}"`)
    }
  }
})

test('only the password stretching uses WebAssembly, in a file that the server recognises', async () => {
  const { files } = await readManifest()
  const starts = await Promise.all(
    Object.keys(files).map(async (path) => (/^assets\/.*\.js$/.test(path) ? [path, await read(path)] : [path, ''])),
  )
  const compiling = starts.filter(([, text = '']) => text.includes('WebAssembly.compile')).map(([path]) => path)
  expect(compiling).toHaveLength(1)
  const users = starts.filter(([, text = '']) => text.includes(compiling[0]?.replace('assets/', '') ?? 'none'))
  expect(users.map(([path]) => path)).toEqual([expect.stringMatching(/^assets\/kdf-/)])
})

test('the initial download stays within its budget', async () => {
  const html = await read('sdk/index.html')
  const first = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map(([, path = '']) => path)
  const loaded = new Set(['sdk/index.html'])
  const follow = async (path: string): Promise<void> => {
    if (loaded.has(path)) return
    loaded.add(path)
    // Static imports and the worker, without `import()`.
    const text = await read(path)
    const further = [
      ...text.matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g),
      ...text.matchAll(/["'`]\/assets\/(main-[^"'`]+\.js)["'`]/g),
    ]
    for (const [, name = ''] of further) await follow(`assets/${name}`)
  }
  for (const path of first) await follow(path)
  expect([...loaded].some((path) => path.startsWith('assets/main-'))).toBe(true)
  const sizes = await Promise.all([...loaded].map(async (path) => gzipSync(await read(path)).length))
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(mostBytes)
})
