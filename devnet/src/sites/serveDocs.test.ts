import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { serveDocs } from './serveDocs.ts'
import { openSite } from './sites.ts'

async function serveFolder(): Promise<{ folder: string; url: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-docs-'))
  const site = await openSite(0)
  site.respond(serveDocs(folder))
  onTestFinished(async () => {
    await site.close()
    await rm(folder, { recursive: true })
  })
  return { folder, url: site.url }
}

async function writeSite(folder: string): Promise<void> {
  await mkdir(join(folder, 'assets'))
  await writeFile(join(folder, 'index.html'), 'first')
  await writeFile(join(folder, 'hooks.html'), 'hooks')
  await writeFile(join(folder, 'hooks.md'), '# Häkchen')
  await writeFile(join(folder, 'assets/app.1a2b.js'), 'code')
}

test('a site that is not built yet asks to wait, and is served once it is', async () => {
  const { folder, url } = await serveFolder()
  const early = await fetch(url)
  expect([early.status, early.headers.get('retry-after')]).toEqual([503, '3'])
  expect(await early.text()).toContain('being built')
  await writeSite(folder)
  expect(await (await fetch(url)).text()).toBe('first')
})

test('pages have no extension, under a policy without inline code and other origins', async () => {
  const { folder, url } = await serveFolder()
  await writeSite(folder)
  const response = await fetch(`${url}/hooks`)
  expect(await response.text()).toBe('hooks')
  const policy = response.headers.get('content-security-policy')
  expect(policy).toContain(`script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self';`)
  expect(policy).toContain('trusted-types vue')
  expect((await fetch(`${url}/missing`)).status).toBe(404)
  expect((await fetch(url, { method: 'POST' })).status).toBe(405)
})

test('a missing page has the page of the site for it, and its status', async () => {
  const { folder, url } = await serveFolder()
  await writeSite(folder)
  expect(await (await fetch(`${url}/missing`)).text()).toBe('There is no such page.')
  await writeFile(join(folder, '404.html'), 'not found')
  const response = await fetch(`${url}/missing`)
  expect([response.status, response.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
  expect(response.headers.get('content-security-policy')).toContain("script-src 'self'")
  expect(await response.text()).toBe('not found')
})

test('Markdown is text in UTF-8, and files with a hash are cached', async () => {
  const { folder, url } = await serveFolder()
  await writeSite(folder)
  const markdown = await fetch(`${url}/hooks.md`)
  expect(markdown.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(await markdown.text()).toBe('# Häkchen')
  expect((await fetch(`${url}/assets/app.1a2b.js`)).headers.get('cache-control')).toContain('immutable')
})

test('browsers get the compressed page if they accept it', async () => {
  const { folder, url } = await serveFolder()
  await writeSite(folder)
  await writeFile(join(folder, 'hooks.html.br'), brotliCompressSync('compressed'))
  const compressed = await fetch(`${url}/hooks`, { headers: { 'accept-encoding': 'br' } })
  expect(compressed.headers.get('content-encoding')).toBe('br')
  expect(compressed.headers.get('content-type')).toBe('text/html;charset=utf-8')
  expect(await compressed.text()).toBe('compressed')
  expect(await (await fetch(`${url}/hooks`, { headers: { 'accept-encoding': 'identity' } })).text()).toBe('hooks')
})
