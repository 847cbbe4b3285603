import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { encodeAbiParameters, pad, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createFarcasterCheck } from './farcasterCheck.ts'

const now = Date.UTC(2026, 10, 30)
const minute = 60_000
const [ann, stranger] = [privateKeyToAccount(generatePrivateKey()), privateKeyToAccount(generatePrivateKey())]
const nonce = 'ab'.repeat(32)
const idRegistry = '0x00000000fc6c5f01fc30151999387bb99a9f489b'
const keyRegistry = '0x00000000fc1237824fb747abde0ff18990e59b7e'
const refused = expect.objectContaining({ status: 401, field: 'identity' })
const unreachable = expect.objectContaining({ status: 503, field: 'chain' })

let chain: Server
let rpcUrl = ''
/** The account of which the signer is the custody address, and the state and type of its key. */
let owned: bigint
let key: { state: number; keyType: number }
let delayMs = 0
let calls: { to: string; data: Hex }[]

beforeAll(async () => {
  chain = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const { id, params } = JSON.parse(body) as { id: number; params: { to?: string; data: Hex }[] }
    const [{ to = '', data } = expect.fail()] = params
    calls.push({ to: to.toLowerCase(), data })
    await new Promise((resolve) => setTimeout(resolve, delayMs))
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: respond(to.toLowerCase()) }))
  })
  await new Promise<void>((resolve) => void chain.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an address of this form.
  rpcUrl = `http://127.0.0.1:${(chain.address() as AddressInfo).port}`
})
beforeEach(() => {
  ;[owned, key, delayMs, calls] = [7n, { state: 0, keyType: 0 }, 0, []]
})
afterAll(async () => {
  chain.closeAllConnections()
  await new Promise((resolve) => chain.close(resolve))
})

function respond(to: string): Hex {
  if (to === idRegistry) return encodeAbiParameters([{ type: 'uint256' }], [owned])
  if (to === keyRegistry) {
    return encodeAbiParameters([{ type: 'uint8' }, { type: 'uint32' }], [key.state, key.keyType])
  }
  // The verification of a contract's signature: it is none.
  return '0x00'
}

const time = (at: number): string => new Date(at).toISOString()
const fields = {
  domain: 'wallet.example:4605',
  address: ann.address as string,
  statement: 'Farcaster Auth',
  uri: 'https://wallet.example:4605/frame/',
  version: '1',
  chain: '10',
  nonce,
  times: `Issued At: ${time(now)}`,
  rest: '',
  resource: 'farcaster://fid/7',
}
const format = (given: Partial<typeof fields> = {}): string => {
  const {
    domain,
    address,
    statement,
    uri,
    version,
    chain: id,
    nonce: text,
    times,
    rest,
    resource,
  } = { ...fields, ...given }
  return `${domain} wants you to sign in with your Ethereum account:\n${address}\n\n${statement}\n\nURI: ${uri}\nVersion: ${version}\nChain ID: ${id}\nNonce: ${text}\n${times}${rest}\nResources:\n- ${resource}`
}
async function check(message: string, { signer = ann, at = now, timeoutMs = 5_000, expected = nonce } = {}) {
  const verify = createFarcasterCheck({
    rpcUrl,
    timeoutMs,
    frameUrl: () => 'https://wallet.example:4605/path',
    clock: { now: () => at },
  })
  return verify({ message, signature: await signer.signMessage({ message }), nonce: expected })
}

describe('a Farcaster message', () => {
  test('of the custody address of its account is accepted', async () => {
    expect(await check(format())).toEqual({ fid: 7n })
    expect(calls.map(({ to }) => to)).toEqual([idRegistry])
    expect(calls[0]?.data.endsWith(ann.address.slice(2).toLowerCase())).toBe(true)
  })

  test('of an authorised key of its account is accepted, and of no other key', async () => {
    owned = 8n
    key = { state: 1, keyType: 2 }
    expect(await check(format())).toEqual({ fid: 7n })
    expect(calls.map(({ to }) => to)).toEqual([idRegistry, keyRegistry])
    expect(calls[1]?.data).toContain(pad(ann.address).slice(2).toLowerCase())
    for (key of [
      { state: 0, keyType: 2 },
      { state: 2, keyType: 2 },
      { state: 1, keyType: 1 },
    ]) {
      await expect(check(format())).rejects.toEqual(refused)
    }
  })

  test('of another signer is refused', async () => {
    await expect(check(format(), { signer: stranger })).rejects.toEqual(refused)
    await expect(check(format({ address: stranger.address }))).rejects.toEqual(refused)
  })

  test.each([
    ['another domain', { domain: 'evil.example' }],
    ['the domain without its port', { domain: 'wallet.example' }],
    ['another site', { uri: 'https://evil.example/' }],
    ['another scheme', { uri: 'http://wallet.example:4605/' }],
    ['no site', { uri: 'wallet' }],
    ['another nonce', { nonce: 'cd'.repeat(32) }],
    ['another statement', { statement: 'Other' }],
    ['another version', { version: '2' }],
    ['another chain', { chain: '1' }],
    ['another resource', { resource: 'farcaster://fid/07' }],
    ['two resources', { resource: 'farcaster://fid/7\n- farcaster://fid/8' }],
    ['text in front', { domain: `\n${fields.domain}` }],
    ['an invalid address', { address: `${ann.address.slice(0, -1)}g` }],
    ['an account of 20 digits', { resource: `farcaster://fid/${'1'.repeat(20)}` }],
    ['a line between', { rest: '\nOther: 1' }],
  ])('with %s is refused without a request to the chain', async (_what, given) => {
    await expect(check(format(given))).rejects.toEqual(refused)
    expect(calls).toEqual([])
  })

  test('with a request id is accepted', async () => {
    expect(await check(format({ rest: '\nRequest ID: any text' }))).toEqual({ fid: 7n })
  })

  test('with a signature of another form is refused', async () => {
    const verify = createFarcasterCheck({
      rpcUrl,
      frameUrl: () => 'https://wallet.example:4605',
      clock: { now: () => now },
    })
    await expect(verify({ message: format(), signature: 'no hex', nonce })).rejects.toEqual(refused)
    expect(calls).toEqual([])
    await expect(verify({ message: format(), signature: '0x00', nonce })).rejects.toEqual(refused)
  })

  const issued = `Issued At: ${time(now)}`
  test.each([
    ['issued ten minutes ago', issued, now + 10 * minute, true],
    ['issued more than ten minutes ago', issued, now + 10 * minute + 1, false],
    ['issued in a minute', issued, now - minute, true],
    ['issued in more than a minute', issued, now - minute - 1, false],
    ['with a time zone', 'Issued At: 2026-11-30T01:00:00+01:00', now, true],
    ['with an invalid time', 'Issued At: 2026-13-30T00:00:00Z', now, false],
    ['that expires', `${issued}\nExpiration Time: ${time(now + 1)}`, now, true],
    ['that has expired', `${issued}\nExpiration Time: ${time(now)}`, now, false],
    ['valid in a minute', `${issued}\nNot Before: ${time(now + minute)}`, now, true],
    ['valid later', `${issued}\nNot Before: ${time(now + minute + 1)}`, now, false],
    ['with all times', `${issued}\nExpiration Time: ${time(now + 1)}\nNot Before: ${time(now)}`, now, true],
  ])('%s', async (_what, times, at, isAccepted) => {
    const checked = check(format({ times }), { at })
    if (isAccepted) await expect(checked).resolves.toEqual({ fid: 7n })
    else await expect(checked).rejects.toEqual(refused)
  })

  test('is not decided while the chain is unreachable or slow', async () => {
    delayMs = 300
    await expect(check(format(), { timeoutMs: 50 })).rejects.toEqual(unreachable)
    const away = createFarcasterCheck({
      rpcUrl: 'http://127.0.0.1:1',
      frameUrl: () => 'https://wallet.example:4605',
      clock: { now: () => now },
    })
    const message = format()
    await expect(away({ message, signature: await ann.signMessage({ message }), nonce })).rejects.toEqual(unreachable)
  })
})
