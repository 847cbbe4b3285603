import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { ServiceRequest } from '../../services/serviceRequest.ts'
import { beginFarcasterLogin } from './beginFarcasterLogin.ts'
import { openFarcasterChannel } from './farcasterChannel.ts'

const relayUrl = 'https://relay.example'
const frameUrl = 'https://wallet.example/frame/'
const nonce = 'ab'.repeat(32)
const fields = { siweUri: 'https://wallet.example', domain: 'wallet.example', nonce }
const link = 'https://farcaster.example/~/siwf?channelToken=token'
const opening = { channelToken: 'token', url: link, nonce }
const message = [
  'wallet.example wants you to sign in with your Ethereum account:',
  '0x0000000000000000000000000000000000000001',
  '',
  'URI: https://wallet.example',
  `Nonce: ${nonce}`,
].join('\n')

type RelayRequest = { readonly url: string; readonly init: RequestInit }

/** A relay that sends these responses: a status and a body, a text, or an error. */
function startRelay(...responses: ReadonlyArray<readonly [number, unknown] | string | Error>) {
  const left = [...responses]
  const requests: RelayRequest[] = []
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    requests.push({ url, init })
    const response = left.shift() ?? expect.fail('one request too many')
    if (response instanceof Error) throw response
    if (typeof response === 'string') return new Response(response)
    return new Response(JSON.stringify(response[1]), { status: response[0] })
  })
  onTestFinished(() => void vi.unstubAllGlobals())
  return requests
}

const open = () => openFarcasterChannel(relayUrl, { frameUrl, nonce })
const unavailable = { status: 502, field: 'provider' }
const otherLogin = { status: 400, field: 'nonce' }

describe('a channel to a Farcaster application', () => {
  test('asks the relay for this site and this login, and gives away nothing else', async () => {
    const requests = startRelay([201, opening], [202, { state: 'pending' }])
    const channel = await open()
    expect(channel.url).toBe(link)
    expect(await channel.poll()).toBeUndefined()
    expect(requests.map(({ url, init: { method } }) => [url, method])).toEqual([
      [`${relayUrl}/v1/channel`, 'POST'],
      [`${relayUrl}/v1/channel/status`, undefined],
    ])
    const [begin, status] = requests.map(({ init }) => init)
    expect(JSON.parse(String(begin?.body))).toEqual({ ...fields, acceptAuthAddress: true })
    expect(begin?.headers).toEqual({ 'content-type': 'application/json' })
    expect(status?.headers).toEqual({ authorization: 'Bearer token' })
    for (const init of [begin, status]) {
      expect(init).toMatchObject({
        redirect: 'error',
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
        cache: 'no-store',
      })
      expect(init?.signal).toBeInstanceOf(AbortSignal)
    }
  })

  test.each([
    ['no token', { ...opening, channelToken: undefined }],
    ['no link', { ...opening, url: undefined }],
    ['no object', ['token']],
  ])('is not opened by a response with %s', async (_, body) => {
    startRelay([201, body])
    await expect(open()).rejects.toMatchObject(unavailable)
  })

  test.each([
    ['another nonce', { ...opening, nonce: 'cd'.repeat(32) }],
    ['no nonce', { ...opening, nonce: undefined }],
    ['the link of another channel', { ...opening, url: link.replace('=token', '=other') }],
    ['a link without a channel', { ...opening, url: 'https://farcaster.example/~/siwf' }],
    ['no URL', { ...opening, url: 'siwf' }],
    ['a link with another scheme', { ...opening, url: link.replace('https', 'javascript') }],
    ['a link without encryption', { ...opening, url: link.replace('https', 'http') }],
    ['a link with a local host name and another scheme', { ...opening, url: 'ws://localhost/?channelToken=token' }],
    ['a link with another nonce', { ...opening, url: `${link}&nonce=${'cd'.repeat(32)}` }],
    ['a link with another site', { ...opening, url: `${link}&domain=other.example` }],
    ['a link with another URI', { ...opening, url: `${link}&siweUri=https://other.example` }],
  ])('is not opened by a relay that responds with %s [A-11]', async (_, body) => {
    startRelay([201, body])
    await expect(open()).rejects.toMatchObject(otherLogin)
  })

  test.each([
    'http://127.0.0.1:5/?channelToken=token',
    'http://localhost:5/?channelToken=token',
    `${link}&${new URLSearchParams(fields).toString()}`,
  ])('is opened with the link %s', async (url) => {
    startRelay([201, { ...opening, url }])
    expect((await open()).url).toBe(url)
  })

  test.each([
    ['is not JSON', 'no JSON'],
    ['is not an object', '7'],
    ['is longer than 64 Ki characters', JSON.stringify({ ...opening, filler: 'a'.repeat(65_536) })],
    ['never arrives', new Error('unreachable')],
  ])('is not opened by a response that %s', async (_, response) => {
    startRelay(response)
    await expect(open()).rejects.toMatchObject(unavailable)
  })

  test('is opened by a response of 64 Ki characters', async () => {
    const text = JSON.stringify({ ...opening, filler: '' })
    startRelay(text.replace('"filler":""', `"filler":"${'a'.repeat(65_536 - text.length)}"`))
    expect((await open()).url).toBe(link)
  })
})

describe('the message of a Farcaster application', () => {
  const completed = { state: 'completed', message, signature: '0x12', username: 'ann' }
  const poll = async (status: number, body: unknown) => {
    startRelay([201, opening], [status, body])
    return (await open()).poll()
  }

  test('is returned with its signature and the user name', async () => {
    expect(await poll(200, completed)).toEqual({ message, signature: '0x12', userName: 'ann' })
    expect(await poll(200, { ...completed, username: 7 })).toEqual({ message, signature: '0x12' })
  })

  test.each([401, 404])('never arrives on a channel that ended with %i', async (status) => {
    await expect(poll(status, { error: 'gone' })).rejects.toMatchObject({ status: 404, field: 'login' })
  })

  test.each([{ message: undefined }, { signature: undefined }])('is incomplete without its parts %s', async (part) => {
    await expect(poll(200, { ...completed, ...part })).rejects.toMatchObject(unavailable)
  })

  const nonceLine = `Nonce: ${nonce}`
  test.each([
    ['another nonce', message.replace(nonce, 'cd'.repeat(32))],
    ['no nonce', message.replace(nonceLine, '')],
    ['two nonces', `${message}\n${nonceLine}`],
    ['two different nonces', `${message}\nNonce: ${'cd'.repeat(32)}`],
    ['a longer nonce', message.replace(nonceLine, `${nonceLine}0`)],
    ['another URI', message.replace('URI: https://wallet.example', 'URI: https://other.example')],
    ['two URIs', `${message}\nURI: https://other.example`],
    ['another domain', message.replace('wallet.example wants', 'other.example wants')],
    ['the domain in another line', `\n${message}`],
  ])('is refused with %s [A-11]', async (_, wrong) => {
    await expect(poll(200, { ...completed, message: wrong })).rejects.toMatchObject(otherLogin)
  })
})

describe('a login with Farcaster', () => {
  const [challenge, sharesChallenge] = ['A'.repeat(43), 'B'.repeat(43)]
  const origin = 'https://app.example'

  function startLogin(responses: { auth?: unknown; shares?: unknown; redeem?: readonly Error[] } = {}) {
    const calls: unknown[] = []
    const failures = [...(responses.redeem ?? [])]
    const auth: ServiceRequest = async (method, path, body) => {
      calls.push([method, path, body])
      if (path.endsWith('/begin')) return { challenge: 'auth' in responses ? responses.auth : challenge }
      const failure = failures.shift()
      if (failure !== undefined) throw failure
      return { id: 'user' }
    }
    const shares: ServiceRequest = async (method, path, body) => {
      calls.push([method, path, body])
      return { challenge: 'shares' in responses ? responses.shares : sharesChallenge }
    }
    const farcaster = { relayUrl, frameUrl }
    const begin = () => beginFarcasterLogin({ auth, shares, projectId: 'p', thumbprint: 'mine', farcaster }, origin)
    return { calls, begin }
  }

  const commitment = bytesToHex(sha256(utf8ToBytes(`latchkey/farcaster/1\nmine\n${challenge}\n${sharesChallenge}`)))
  const signed = message.replace(nonce, commitment)

  test('signs a nonce of this device and of the challenges of both services, and polls the relay until then', async () => {
    const { calls, begin } = startLogin({ redeem: [new Error('unreachable')] })
    const requests = startRelay(
      [201, { ...opening, nonce: commitment }],
      [202, { state: 'pending' }],
      [200, { state: 'completed', message: signed, signature: '0x12' }],
    )
    const { url, poll } = await begin()
    expect(url).toBe(link)
    expect(JSON.parse(String(requests[0]?.init.body))).toMatchObject({ nonce: commitment })
    expect(await poll()).toBeUndefined()
    await expect(poll()).rejects.toThrow('unreachable')
    // The relay is not asked again: it returns the message once.
    const proof = { message: signed, signature: '0x12' }
    expect(await poll()).toEqual({
      response: { id: 'user' },
      approval: {
        kind: 'checked',
        path: '/shares/v1/identity/farcaster',
        body: { challenge: sharesChallenge, authChallenge: challenge, ...proof },
      },
    })
    const redeem = ['POST', '/auth/v1/farcaster/redeem', { challenge, sharesChallenge, ...proof }]
    expect(calls).toEqual([
      ['POST', '/auth/v1/farcaster/begin', { projectId: 'p', origin }],
      ['POST', '/shares/v1/farcaster/begin', { projectId: 'p', origin }],
      redeem,
      redeem,
    ])
  })

  test.each([undefined, 7, 'A'.repeat(42), 'A'.repeat(44), `${'A'.repeat(42)}\n`, `${'A'.repeat(42)}=`])(
    'does not begin with the challenge %j of either service [A-11]',
    async (wrong) => {
      const error = 'The response has no challenge.'
      await expect(startLogin({ auth: wrong }).begin()).rejects.toThrow(error)
      await expect(startLogin({ shares: wrong }).begin()).rejects.toThrow(error)
    },
  )

  test('is refused without a relay, before a service is asked', async () => {
    const request = async () => expect.fail('a request was sent')
    const login = { auth: request, shares: request, projectId: 'p', thumbprint: 'mine', farcaster: undefined }
    await expect(beginFarcasterLogin(login, origin)).rejects.toMatchObject({ status: 400, field: 'provider' })
  })
})
