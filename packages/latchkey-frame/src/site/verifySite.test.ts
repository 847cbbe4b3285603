import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { FrameSite } from '@latchkey/server/testing'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { createSignerKey, readSignerKey } from '../signing/signerKey.ts'
import { signManifest } from '../signing/signManifest.ts'
import { createBuiltFrame, projectId, services, type BuiltFrame } from '../testing/builtFrame.ts'
import { startHostileHost, type HostileHost, type HostileHostOptions } from '../testing/hostileHost.ts'
import { verifySite, type VerifySiteOptions } from './verifySite.ts'

let built: BuiltFrame
let site: FrameSite

beforeEach(async () => {
  built = await createBuiltFrame()
  site = await built.serve()
})

afterEach(async () => {
  await site.close()
  await built.remove()
})

async function startHostile(options: Omit<HostileHostOptions, 'behind'>): Promise<HostileHost> {
  const host = await startHostileHost({ behind: site.url, ...options })
  onTestFinished(host.close)
  return host
}

const verify = (url: string, options: Partial<VerifySiteOptions> = {}) => verifySite(url, { projectId, ...options })
const problemsOf = async (...args: Parameters<typeof verify>) =>
  (await verify(...args)).problems.map(({ kind, path, detail }) => `${kind} ${path}: ${detail}`)

test('the real server serves a release without differences [S-09]', async () => {
  expect(await verify(site.url, { manifest: await readFile(built.manifest) })).toEqual({
    release: '0.1.0',
    files: 7,
    services,
    problems: [],
  })
})

test('an honest proxy adds no difference [S-09]', async () => {
  const { url } = await startHostile({})
  expect(await problemsOf(url)).toEqual([])
})

describe('a host is reported if it changes', () => {
  test('one byte of a script [S-09]', async () => {
    const { url } = await startHostile({
      change: (path, response) => void (path === '/assets/main-1.js' && (response.body += ' ')),
    })
    expect(await problemsOf(url)).toEqual(['changed assets/main-1.js: The file differs from the release.'])
  })

  test('the page inside of the configuration’s element [S-09]', async () => {
    const { url } = await startHostile({
      change(path, response) {
        if (!path.startsWith('/sdk')) return
        response.body = response.body.replace('{"auth"', '{}</script><script src="/evil.js"></script><script>{"auth"')
      },
    })
    expect(await problemsOf(url)).toEqual(
      expect.arrayContaining([expect.stringContaining('changed sdk/index.html: The file differs')]),
    )
  })

  test('the page by a second configuration [S-09]', async () => {
    const element = '<script type="application/json" id="latchkey-config">{"auth":"https://evil.example"}</script>'
    const { url } = await startHostile({
      change: (path, response) => void (path.startsWith('/sdk') && (response.body = element + response.body)),
    })
    expect(await problemsOf(url)).toEqual(
      expect.arrayContaining([expect.stringContaining('changed sdk/index.html: The file differs')]),
    )
  })

  test('a script together with the manifest, which the true manifest shows [S-09]', async () => {
    const manifest = await readFile(built.manifest)
    await built.write('assets/main-1.js', 'steal()')
    await built.write('assets/more-1.js', 'more()')
    await site.close()
    const before = JSON.parse(manifest.toString())
    await built.list({ ...(await contentsOf(Object.keys(before.files))), 'assets/more-1.js': 'more()' })
    site = await built.serve()
    expect(await problemsOf(site.url)).toEqual([])
    expect(await problemsOf(site.url, { manifest })).toEqual([
      'changed manifest.json: The site lists other files than the release.',
      'extra assets/more-1.js: The release has no such file.',
      'changed assets/main-1.js: The file differs from the release.',
    ])
  })

  test('the services of one page [S-09]', async () => {
    const { url } = await startHostile({
      change(path, response) {
        if (path.startsWith('/account')) response.body = response.body.replace(services.auth, 'https://evil.example')
      },
    })
    expect(await problemsOf(url)).toContain(
      'config account/index.html: The address of the service auth is https://evil.example instead of https://auth.example.',
    )
  })

  test('the services of all pages, if the true ones are given [S-09]', async () => {
    await site.close()
    site = await built.serve({ ...services, shares: 'https://evil.example' })
    expect(await problemsOf(site.url)).toEqual([])
    expect(await problemsOf(site.url, { services })).toHaveLength(3)
  })

  test('the relay of Farcaster logins, if one is used or expected [S-09]', async () => {
    const farcasterRelay = 'https://relay.example'
    expect(await problemsOf(site.url, { services: { ...services, farcasterRelay } })).toHaveLength(3)
    await site.close()
    site = await built.serve({ ...services, farcasterRelay })
    expect(await problemsOf(site.url)).toEqual([])
    expect(await problemsOf(site.url, { services: { ...services, farcasterRelay } })).toEqual([])
    expect(
      await problemsOf(site.url, { services: { ...services, farcasterRelay: 'https://other.example' } }),
    ).toHaveLength(3)
  })

  test.each([
    ['content-security-policy', /script-src [^;]*/, `script-src 'self' 'unsafe-inline'`, 'script-src is'],
    [
      'content-security-policy',
      /connect-src [^;]*/,
      'connect-src https://evil.example',
      'connect-src allows https://evil',
    ],
    ['content-security-policy', /frame-ancestors [^;]*/, 'frame-ancestors *', 'frame-ancestors is'],
    ['content-security-policy', /trusted-types [^;]*/, 'trusted-types *', 'trusted-types is'],
    ['content-security-policy', /^/, `script-src *; `, 'repeats a directive'],
    ['x-content-type-options', /.*/, 'none', 'is not nosniff'],
    ['content-type', /.*/, 'text/html; charset=utf-7', 'content-type is'],
    ['cross-origin-opener-policy', /.*/, 'unsafe-none', 'cross-origin-opener-policy'],
  ])('the header %s of the export page: %s [S-09]', async (name, pattern, value, problem) => {
    const { url } = await startHostile({
      change: (_, { headers }) => headers.set(name, (headers.get(name) ?? '').replace(pattern, value)),
    })
    expect((await problemsOf(url)).filter((line) => line.includes('export/index.html'))).toEqual(
      expect.arrayContaining([expect.stringContaining(problem)]),
    )
  })

  test('the policy of the worker’s script [S-09]', async () => {
    const { url } = await startHostile({
      change(path, { headers }) {
        if (path === '/assets/main-1.js') headers.delete('content-security-policy')
      },
    })
    expect(await problemsOf(url)).toContain('header assets/main-1.js: content-security-policy: connect-src is missing')
  })
})

describe('a hostile host', () => {
  test('that redirects to another origin gets no request there [S-10]', async () => {
    const trap = await startHostile({})
    const { url } = await startHostile({
      respond(path, response) {
        if (path !== '/assets/main-1.js') return false
        response.writeHead(302, { location: `${trap.url}/assets/main-1.js` }).end()
        return true
      },
    })
    expect(await problemsOf(url)).toEqual(['missing assets/main-1.js: The file redirects with 302.'])
    expect(trap.requests).toEqual([])
  })

  test('with paths that leave the site is refused without further requests [S-10]', async () => {
    const host = await startHostile({
      respond(_, response) {
        response.end(JSON.stringify({ files: { '//evil.example/a.js': 'ab'.repeat(32) } }))
        return true
      },
    })
    await expect(verify(host.url)).rejects.toMatchObject({ code: 'release/invalid' })
    expect(host.requests).toEqual(['/manifest.json'])
  })

  test('that sends an endless file is stopped at the limit [S-10]', async () => {
    const { url } = await startHostile({
      respond(path, response) {
        if (path !== '/assets/main-1.js') return false
        const more = (): void => {
          while (response.writable && response.write(Buffer.alloc(65_536))) continue
        }
        response.on('drain', more)
        more()
        return true
      },
    })
    expect(await problemsOf(url, { limits: { bytes: 1_048_576, timeoutMs: 20_000 } })).toEqual([
      'missing assets/main-1.js: The file is larger than 1048576 bytes.',
    ])
  })

  test('that sends a small file which expands is stopped at the limit [S-10]', async () => {
    const { url } = await startHostile({
      respond(path, response) {
        if (path !== '/assets/main-1.js') return false
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(16 * 1_048_576)))
        return true
      },
    })
    expect(await problemsOf(url, { limits: { bytes: 1_048_576, timeoutMs: 20_000 } })).toEqual([
      'missing assets/main-1.js: The file is larger than 1048576 bytes.',
    ])
  })

  test('that never ends a response is left after the timeout [S-10]', { tags: 'faults' }, async () => {
    const { url } = await startHostile({
      respond(path, response) {
        if (path !== '/assets/main-1.js') return false
        response.writeHead(200).write('export')
        return true
      },
    })
    expect(await problemsOf(url, { limits: { bytes: 1_048_576, timeoutMs: 2_000 } })).toContain(
      'missing assets/main-1.js: The file did not arrive within 2000 ms.',
    )
  })

  test('that closes connections is reported [S-10]', async () => {
    const { url } = await startHostile({
      respond(path, response) {
        if (path.startsWith('/manifest')) return false
        response.destroy()
        return true
      },
    })
    expect(await problemsOf(url)).toEqual(
      expect.arrayContaining([expect.stringContaining('missing sdk/index.html: The file could not be downloaded')]),
    )
  })
})

describe('signatures', () => {
  const keyOf = async (name: string) => {
    const folder = await mkdtemp(join(tmpdir(), 'latchkey-signer-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const file = join(folder, `${name}.pem`)
    await createSignerKey(file)
    return readSignerKey(file)
  }

  test('of both required signers are accepted [S-08]', async () => {
    const [alice, bob] = [await keyOf('alice'), await keyOf('bob')]
    await signManifest(built.manifest, alice)
    await signManifest(built.manifest, bob)
    await site.close()
    site = await built.serve()
    const keys = [alice.publicKey, bob.publicKey]
    expect(await problemsOf(site.url, { signers: { keys, threshold: 2 } })).toEqual([])
  })

  test('of a stranger are refused [S-08]', async () => {
    const [alice, mallory] = [await keyOf('alice'), await keyOf('mallory')]
    await signManifest(built.manifest, mallory)
    await site.close()
    site = await built.serve()
    expect(await problemsOf(site.url, { signers: { keys: [alice.publicKey] } })).toEqual([
      expect.stringContaining('signature manifest.signatures.json: The release of the frame is not valid: 0 of 1'),
    ])
  })

  test('that are missing are reported [S-08]', async () => {
    const { publicKey } = await keyOf('alice')
    expect(await problemsOf(site.url, { signers: { keys: [publicKey] } })).toEqual([
      'signature manifest.signatures.json: The site serves no such file.',
    ])
  })
})

async function contentsOf(paths: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const entries = paths.map(async (path) => [path, await readFile(join(built.folder, path), 'utf8')] as const)
  return Object.fromEntries(await Promise.all(entries))
}
