import { generateKeyPairSync, sign } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { memoryStorage } from '@latchkey/core'
import { manualClock } from '@latchkey/core/testing'
import { releaseMessage } from '@latchkey/protocol/release'
import { expect, onTestFinished, test, vi } from 'vitest'
import { embedded } from '../embedded.ts'
import { fakeFrame } from '../testing/fakeFrame.ts'
import { assertSignedFrame } from './assertSignedFrame.ts'

const manifest = Buffer.from(JSON.stringify({ release: '0.1.0', files: { 'sdk/index.html': 'ab'.repeat(32) } }))

function createSigner() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const { x: key = '' } = publicKey.export({ format: 'jwk' })
  const signature = sign(null, releaseMessage(manifest), privateKey).toString('base64url')
  return { key, signature }
}

type FileResponse = Buffer | ((response: ServerResponse) => void)

/** A frame's origin that serves the given documents. */
async function serve(
  documents: Readonly<Record<string, FileResponse>>,
): Promise<{ url: string; requestedPaths: readonly string[] }> {
  const requestedPaths: string[] = []
  const server = createServer(({ url = '' }, response) => {
    requestedPaths.push(url)
    const fileResponse = documents[url]
    if (typeof fileResponse === 'function') return fileResponse(response)
    response.writeHead(fileResponse === undefined ? 404 : 200).end(fileResponse)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  // A server that listens on a port has an address of this form.
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requestedPaths }
}

const createSignedFiles = (...signatures: readonly object[]) => ({
  '/manifest.json': manifest,
  '/manifest.signatures.json': Buffer.from(JSON.stringify({ signatures })),
})

const alice = createSigner()
const mallory = createSigner()
const releases = { keys: [alice.key] }

function logIn(site: string) {
  const frame = fakeFrame()
  const connector = embedded({ frame: site, projectId: 'ab', releases, open: frame.open, storage: memoryStorage() })
  if (connector.login === undefined) throw new Error('There is no login.')
  return { frame, login: connector.login, connector }
}

test('a frame that the required key signed is loaded [S-08]', async () => {
  const { url } = await serve(createSignedFiles(alice))
  const { frame, login: steps } = logIn(url)
  expect(await steps.email('visitor@example.org')).toEqual({ action: 'VERIFY_OTP' })
  expect(frame.urls).toHaveLength(1)
})

test('a frame that another key signed is not loaded [S-08]', async () => {
  const { url } = await serve(createSignedFiles(mallory))
  const { frame, login: steps } = logIn(url)
  await expect(steps.email('visitor@example.org')).rejects.toMatchObject({
    code: 'embedded/unsigned',
    context: { origin: url, reason: '0 of 1 required signers signed the manifest' },
  })
  expect(frame.urls).toEqual([])
})

test('a frame with a changed manifest is not loaded [S-08]', async () => {
  const { url } = await serve({ ...createSignedFiles(alice), '/manifest.json': Buffer.from('{"files":{}}') })
  const { frame, login: steps } = logIn(url)
  await expect(steps.email('visitor@example.org')).rejects.toMatchObject({ code: 'embedded/unsigned' })
  expect(frame.urls).toEqual([])
})

test('a frame without signatures is not loaded, and is checked again at the next login [S-08]', async () => {
  const documents: Record<string, Buffer> = { '/manifest.json': manifest }
  const { url } = await serve(documents)
  const { frame, login: steps } = logIn(url)
  await expect(steps.email('visitor@example.org')).rejects.toMatchObject({ code: 'embedded/unsigned' })
  Object.assign(documents, createSignedFiles(alice))
  expect(await steps.email('visitor@example.org')).toEqual({ action: 'VERIFY_OTP' })
  expect(frame.urls).toHaveLength(1)
})

test('the window of a social login closes if the frame is not signed [S-08]', async () => {
  const { url } = await serve(createSignedFiles(mallory))
  const opened = { closed: false, close: () => void (opened.closed = true) }
  vi.stubGlobal('open', () => opened)
  onTestFinished(() => void vi.unstubAllGlobals())
  const { signal } = new AbortController()
  await expect(logIn(url).login.social('google', { signal })).rejects.toMatchObject({ code: 'embedded/unsigned' })
  expect(opened.closed).toBe(true)
})

test('nothing is downloaded before a user starts a login [S-08]', async () => {
  const { url, requestedPaths } = await serve(createSignedFiles(alice))
  const { connector } = logIn(url)
  await connector.restore({ networks: [], signal: new AbortController().signal })
  await connector.disconnect()
  expect(requestedPaths).toEqual([])
})

test('a release on another origin is no proof: redirects are refused [S-10]', async () => {
  const other = await serve(createSignedFiles(alice))
  const redirect = (response: ServerResponse) =>
    void response.writeHead(302, { location: `${other.url}/manifest.json` }).end()
  const { url } = await serve({ ...createSignedFiles(alice), '/manifest.json': redirect })
  await expect(assertSignedFrame(url, releases)).rejects.toMatchObject({ code: 'embedded/unreachable' })
  expect(other.requestedPaths).toEqual([])
})

test('an endless manifest is refused at the limit [S-10]', async () => {
  const endless = (response: ServerResponse) => {
    const more = (): void => {
      while (response.writable && response.write(Buffer.alloc(65_536))) continue
    }
    response.on('drain', more)
    more()
  }
  const { url } = await serve({ ...createSignedFiles(alice), '/manifest.json': endless })
  await expect(assertSignedFrame(url, releases)).rejects.toMatchObject({ code: 'embedded/unsigned' })
})

test('a host that never responds is given up after the timeout [S-10]', async () => {
  const { url, requestedPaths } = await serve({ ...createSignedFiles(alice), '/manifest.json': () => {} })
  const clock = manualClock()
  const checked = assertSignedFrame(url, releases, clock).catch((error: unknown) => error)
  await expect.poll(() => requestedPaths).toContain('/manifest.json')
  clock.advance(20_000)
  expect(await checked).toMatchObject({ code: 'embedded/unreachable' })
})
