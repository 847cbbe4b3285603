import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, jwtVerify, SignJWT, type JWK } from 'jose'
import { expect, onTestFinished, test } from 'vitest'
import { createRemoteKeySet } from './remoteKeySet.ts'

const minute = 60_000

/** Starts an issuer whose keys, outages and clock a test controls. */
async function startIssuer() {
  const issuer = { keys: [] as JWK[], status: 200, padding: 0, requests: 0, now: 0, isKnown: true }
  const server = createServer((_request, response) => {
    issuer.requests += 1
    response.writeHead(issuer.status).end(JSON.stringify({ keys: issuer.keys }) + ' '.repeat(issuer.padding))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  // A server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo
  const url = async () => (issuer.isKnown ? `http://127.0.0.1:${port}/keys` : undefined)
  const keySet = createRemoteKeySet(url, { now: () => issuer.now })

  async function addKey(kid: string): Promise<() => Promise<unknown>> {
    const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
    issuer.keys.push({ ...(await exportJWK(publicKey)), kid, alg: 'ES256' })
    const token = await new SignJWT({}).setProtectedHeader({ alg: 'ES256', kid }).sign(privateKey)
    return async () => (await jwtVerify(token, keySet)).protectedHeader.kid
  }
  return { issuer, addKey }
}

test('the keys are loaded once for ten minutes, even by concurrent requests [A-10]', async () => {
  const { issuer, addKey } = await startIssuer()
  const verify = await addKey('one')
  expect(await Promise.all([verify(), verify(), verify()])).toEqual(['one', 'one', 'one'])
  expect(issuer.requests).toBe(1)
  issuer.now = 10 * minute
  await verify()
  expect(issuer.requests).toBe(1)
  issuer.now += 1
  await verify()
  expect(issuer.requests).toBe(2)
})

test('an unknown key loads the keys again, a minute after the last request at the earliest [A-10]', async () => {
  const { issuer, addKey } = await startIssuer()
  const first = await addKey('one')
  await first()
  const second = await addKey('two')
  issuer.now = minute - 1
  await expect(second()).rejects.toMatchObject({ code: 'ERR_JWKS_NO_MATCHING_KEY' })
  expect(issuer.requests).toBe(1)
  issuer.now = minute
  expect(await second()).toBe('two')
  expect(issuer.requests).toBe(2)
})

test('keys of the last day work during an outage, and older ones do not [A-10]', async () => {
  const { issuer, addKey } = await startIssuer()
  const verify = await addKey('one')
  await verify()
  issuer.status = 500
  issuer.now = 24 * 60 * minute
  expect(await verify()).toBe('one')
  issuer.now += 1
  await expect(verify()).rejects.toThrow('The request for public keys returned 500.')
})

test('without keys, an issuer that fails is an error', async () => {
  const { issuer, addKey } = await startIssuer()
  const verify = await addKey('one')
  issuer.status = 404
  await expect(verify()).rejects.toThrow('returned 404')
  issuer.status = 200
  issuer.isKnown = false
  await expect(verify()).rejects.toThrow('address of the public keys is unknown')
  issuer.isKnown = true
  expect(await verify()).toBe('one')
})

test('a key set of more than 256 KiB is refused', async () => {
  const { issuer, addKey } = await startIssuer()
  const verify = await addKey('one')
  const size = JSON.stringify({ keys: issuer.keys }).length
  issuer.padding = 256 * 1_024 - size + 1
  await expect(verify()).rejects.toThrow('The request for public keys')
  issuer.padding -= 1
  expect(await verify()).toBe('one')
})
