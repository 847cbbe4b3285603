import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createProjects } from '../kit/http/projects.ts'
import { openFrameSite, type FrameSite } from './openFrameSite.ts'

const known = 'a'.repeat(32)
const closed = 'b'.repeat(32)
const page = '<script type="application/json" id="latchkey-config">{}</script>'
const contents = {
  'sdk/index.html': page,
  'account/index.html': page,
  'export/index.html': page,
  'assets/page-1.js': 'export {}',
  'assets/kdf-1.js': 'export {}',
}

let dir: string
let site: FrameSite

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'latchkey-frame-'))
  for (const [path, content] of Object.entries(contents)) {
    await mkdir(dirname(join(dir, path)), { recursive: true })
    await writeFile(join(dir, path), content)
  }
  const files = Object.fromEntries(
    Object.entries(contents).map(([path, content]) => [path, createHash('sha256').update(content).digest('hex')]),
  )
  await writeFile(join(dir, 'manifest.json'), JSON.stringify({ files }))
  site = await openFrameSite({
    dir,
    host: '127.0.0.1',
    port: 0,
    publicUrl: undefined,
    networks: [{ chainId: 'eip155:1' }],
    addresses: {
      auth: 'https://auth.example',
      shares: 'https://shares.example',
      server: 'https://api.example',
      farcasterRelay: 'https://relay.example/farcaster',
    },
    embedders: createProjects([
      { id: known, allowedOrigins: ['https://app.example', '*.wild.example', 'http://localhost:3000'] },
      { id: closed, allowedOrigins: [] },
    ]).allowedEmbedders,
  })
})

afterAll(async () => {
  await site.close()
  await rm(dir, { recursive: true, force: true })
})

const get = (path: string, init?: RequestInit): Promise<Response> => fetch(site.url + path, init)
const policyOf = ({ headers }: Response): Record<string, string> =>
  Object.fromEntries(
    (headers.get('content-security-policy') ?? '').split('; ').map((line) => [line.split(' ')[0], line] as const),
  )

describe('the frame', () => {
  test('may be embedded by the pages of its project only [I-01]', async () => {
    const response = await get(`/sdk?projectId=${known}`)
    expect(policyOf(response)['frame-ancestors']).toBe(
      'frame-ancestors https://app.example https://*.wild.example http://localhost:3000',
    )
    expect(response.headers.get('x-frame-options')).toBeNull()
  })

  test('of a project without an allow-list may not be embedded [I-03]', async () => {
    expect(policyOf(await get(`/sdk?projectId=${closed}`))['frame-ancestors']).toBe(`frame-ancestors 'none'`)
  })

  test.each([
    ['c'.repeat(32), 404],
    ['a'.repeat(31), 400],
    ['a'.repeat(33), 400],
    ['g'.repeat(32), 400],
    ['', 400],
  ])('of project "%s" is rejected with %i and without a script [I-03]', async (id, status) => {
    const result = await get(`/sdk?projectId=${id}`)
    expect(result.status).toBe(status)
    expect(policyOf(result)['frame-ancestors']).toBe(`frame-ancestors 'none'`)
    expect(await result.text()).not.toContain('<script')
  })

  test('receives the addresses of its services for every project', async () => {
    const text = await (await get(`/sdk?projectId=${known}`)).text()
    const config: unknown = JSON.parse(/>(\{.*\})</.exec(text)?.[1] ?? '')
    expect(config).toEqual({
      auth: 'https://auth.example',
      shares: 'https://shares.example',
      server: 'https://api.example',
      farcasterRelay: 'https://relay.example/farcaster',
      origin: site.url,
      projectId: known,
      networks: [{ chainId: 'eip155:1' }],
      allowedOrigins: ['https://app.example', 'https://*.wild.example', 'http://localhost:3000'],
    })
  })
})

describe('the other files', () => {
  test.each(['/export', '/account'])(
    'that are top-level pages share no window group with other origins: %s [S-11]',
    async (path) => {
      const { headers } = await get(path)
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
    },
  )

  test('that are embedded or opened as a window keep their opener', async () => {
    expect((await get(`/sdk?projectId=${known}`)).headers.get('cross-origin-opener-policy')).toBeNull()
  })

  test('have a manifest that any origin may read [S-08]', async () => {
    const reply = await get('/manifest.json')
    expect(reply.headers.get('access-control-allow-origin')).toBe('*')
    expect(await reply.json()).toHaveProperty(['files', 'sdk/index.html'])
  })

  test('are pages that may not be embedded', async () => {
    expect(policyOf(await get('/export'))['frame-ancestors']).toBe(`frame-ancestors 'none'`)
  })

  test('connect to the services and the Farcaster relay only, and compile no WebAssembly [I-15]', async () => {
    const policy = policyOf(await get('/assets/page-1.js'))
    expect(policy['connect-src']).toBe(
      'connect-src https://auth.example https://shares.example https://api.example https://relay.example',
    )
    expect(policy['script-src']).toBe(`script-src 'self'`)
  })

  test('compile WebAssembly for key derivation, which opens no connection', async () => {
    const policy = policyOf(await get('/assets/kdf-1.js'))
    expect(policy['connect-src']).toBe(`connect-src 'none'`)
    expect(policy['script-src']).toBe(`script-src 'self' 'wasm-unsafe-eval'`)
  })

  test.each(['/', '/manifest.signatures.json', '/../package.json', '/%2e%2e/package.json', '/assets/other.js'])(
    'that the manifest does not list are not served: %s [S-02]',
    async (path) => {
      expect((await get(path)).status).toBe(404)
    },
  )

  test('reject methods other than GET and HEAD', async () => {
    expect((await get('/sdk', { method: 'POST' })).status).toBe(405)
  })
})
