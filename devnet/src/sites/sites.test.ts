import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { renderPages } from './renderPages.ts'
import { openSite, startSite, type Site, type SiteOptions } from './sites.ts'

const page = `<!doctype html>
<script type="application/json" id="latchkey-config">
  {}
</script>
<script type="module" src="/assets/app-1a2b.js"></script>
<div id="root"></div>`

let root: string

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'latchkey-site-'))
  await mkdir(join(root, 'assets'))
  await writeFile(join(root, 'index.html'), page)
  await writeFile(join(root, 'icon.svg'), '<svg/>')
  await writeFile(join(root, 'assets/app-1a2b.js'), 'plain')
  await writeFile(join(root, 'assets/app-1a2b.js.gz'), gzipSync('compressed'))
  return () => rm(root, { recursive: true })
})

async function serve(config: object = {}, options: Partial<SiteOptions> = {}): Promise<Site> {
  const connect = ['http://127.0.0.1:1', 'ws://127.0.0.1:1']
  const site = await startSite({ root, port: 0, config, connect, images: ['http://127.0.0.1:1'], ...options })
  onTestFinished(site.close)
  return site
}

test('the configuration in the page cannot close its script element', async () => {
  const config = { name: '</script><script>alert(1)</script>', pattern: '$& $1' }
  const { url } = await serve(config)
  const text = await (await fetch(url)).text()
  expect(text).not.toContain('alert(1)</script>')
  const written = /id="latchkey-config">(.*)<\/script>/.exec(text)?.[1] ?? ''
  expect(JSON.parse(written)).toEqual(config)
})

test('the policy allows only own scripts and the configured origins', async () => {
  const { url } = await serve()
  const { headers } = await fetch(url)
  expect(headers.get('content-security-policy')?.split('; ')).toEqual([
    `default-src 'none'`,
    `script-src 'self'`,
    `style-src 'self'`,
    `img-src 'self' data: blob: http://127.0.0.1:1`,
    `connect-src 'self' http://127.0.0.1:1 ws://127.0.0.1:1`,
    `frame-src 'none'`,
    `font-src 'none'`,
    `manifest-src 'self'`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
    `require-trusted-types-for 'script'`,
    `trusted-types 'none'`,
  ])
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('referrer-policy')).toBe('no-referrer')
})

test('a caller can replace a header', async () => {
  const { url } = await serve({}, { headers: { 'referrer-policy': 'origin' } })
  expect((await fetch(url)).headers.get('referrer-policy')).toBe('origin')
})

test('a page that is rendered in advance is sent at its path, the first page at all others', async () => {
  const pages = new Map([
    ['/', '<h1>First</h1>'],
    ['/account', '<h1>Account $&</h1>'],
  ])
  const { url } = await serve({}, { pages })
  const read = async (path: string): Promise<string | undefined> =>
    /<div id="root">(.*)<\/div>/.exec(await (await fetch(`${url}${path}`)).text())?.[1]
  expect(await Promise.all(['/', '/account?tab=keys', '/account/', '/other'].map(read))).toEqual([
    '<h1>First</h1>',
    '<h1>Account $&</h1>',
    '<h1>Account $&</h1>',
    '<h1>First</h1>',
  ])
})

test('the policy allows the inline styles of a rendered page by their hash, and no others', async () => {
  const style = 'p{color:red}'
  const pages = new Map([['/account', `<style nonce="a">${style}</style><p><style>${style}</style></p>`]])
  const { url } = await serve({}, { pages })
  const policyOf = async (path: string): Promise<string> =>
    (await fetch(`${url}${path}`)).headers.get('content-security-policy') ?? ''
  const hash = createHash('sha256').update(style).digest('base64')
  expect(await policyOf('/account')).toContain(`; style-src 'self' 'sha256-${hash}'; `)
  expect(await policyOf('/')).toContain(`; style-src 'self'; `)
})

test('renderPages calls the renderer of an app with its configuration, and returns no page without one', async () => {
  const file = join(root, 'renderPages.mjs')
  expect(await renderPages(file, {})).toEqual(new Map())
  await writeFile(file, `export const renderPages = async ({ name }) => new Map([['/', name]])`)
  expect(await renderPages(file, { name: 'rendered' })).toEqual(new Map([['/', 'rendered']]))
})

test('hashed files are cached forever, all others are revalidated', async () => {
  const { url } = await serve()
  const lifetimes = ['/assets/app-1a2b.js', '/icon.svg', '/'].map(
    async (path) => (await fetch(`${url}${path}`)).headers.get('cache-control') ?? '',
  )
  expect(await Promise.all(lifetimes)).toEqual(['public, max-age=31536000, immutable', 'no-cache', 'no-cache'])
})

test('precompressed files are sent to browsers that accept the encoding', async () => {
  const { url } = await serve()
  const read = async (encoding: string): Promise<string> =>
    (await fetch(`${url}/assets/app-1a2b.js`, { headers: { 'accept-encoding': encoding } })).text()
  expect(await read('gzip')).toBe('compressed')
  expect(await read('identity')).toBe('plain')
})

test("responds to the app's own paths with the page, and to missing files with 404", async () => {
  const { url } = await serve()
  expect(await (await fetch(`${url}/account?tab=keys`)).text()).toContain('latchkey-config')
  expect((await fetch(`${url}/assets/gone-1a2b.js`)).status).toBe(404)
  expect((await fetch(url, { method: 'POST' })).status).toBe(405)
})

test('files outside the app are not served, and malformed paths are survived', async () => {
  const { url } = await serve()
  expect(await statusOf(url, '/../../../etc/hostname.txt')).toBe(404)
  expect(await statusOf(url, '//')).toBe(200)
  expect(await statusOf(url, '/%E0%A4%A.js')).toBe(404)
})

/** Requests a path literally, because fetch would normalise it. */
function statusOf(url: string, path: string): Promise<number | undefined> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    get({ hostname, port, path }, (response) => {
      response.resume()
      resolve(response.statusCode)
    }).once('error', reject)
  })
}

test('a site responds that it is starting until it has a handler', async () => {
  const site = await openSite(0)
  onTestFinished(site.close)
  expect((await fetch(site.url)).status).toBe(503)
  site.respond((_request, response) => void response.end('ready'))
  expect(await (await fetch(site.url)).text()).toBe('ready')
})

test('an app without a build or without a placeholder is rejected', async () => {
  const empty = await mkdtemp(join(tmpdir(), 'latchkey-site-'))
  onTestFinished(() => rm(empty, { recursive: true }))
  const start = (): Promise<Site> => startSite({ root: empty, port: 0, config: {}, connect: [], images: [] })
  await expect(start()).rejects.toThrow(/There is no .*index\.html\. Run npm run build first\./)
  await writeFile(join(empty, 'index.html'), '<!doctype html>')
  await expect(start()).rejects.toThrow('The page has no place for its configuration.')
})
