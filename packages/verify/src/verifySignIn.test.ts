import { ed25519 } from '@noble/curves/ed25519.js'
import { startAnvil, type Anvil } from '@latchkey/testkit/node'
import { formatSignInMessage, parseSignInMessage, type SignInMessage } from '@latchkey/protocol'
import { base58 } from '@scure/base'
import fc from 'fast-check'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  concat,
  createTestClient,
  encodeDeployData,
  getCreate2Address,
  http,
  publicActions,
  walletActions,
  zeroHash,
  type Hex,
} from 'viem'
import { mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { serializeErc6492Signature } from 'viem/utils'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifySignIn, type ExpectedSignIn, type SignInProblem } from './verifySignIn.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const now = Date.parse('2026-01-01T00:00:00.000Z')
const key = privateKeyToAccount(`0x${'11'.repeat(32)}`)
const owner = mnemonicToAccount('test test test test test test test test test test test junk')
const signInMessage: SignInMessage = {
  domain: 'app.example',
  accountAddress: key.address,
  statement: 'Welcome back.',
  uri: 'https://app.example/login',
  version: '1',
  chainId: 'eip155:31337',
  nonce: 'abcdef0123456789',
  issuedAt: '2026-01-01T00:00:00.000Z',
  expirationTime: '2026-01-02T00:00:00.000Z',
}
const expected: ExpectedSignIn = { nonce: signInMessage.nonce, domain: 'app.example', now, chains: ['eip155:31337'] }

async function signMessage(more: Partial<SignInMessage> = {}): Promise<{ message: string; signature: `0x${string}` }> {
  const message = formatSignInMessage({ ...signInMessage, ...more })
  return { message, signature: await key.signMessage({ message }) }
}

async function reasonOf(more: Partial<SignInMessage>, wanted: Partial<ExpectedSignIn> = {}): Promise<string> {
  const proof = await verifySignIn(await signMessage(more), { ...expected, ...wanted })
  return proof.valid ? 'valid' : proof.reason
}

describe('a sign-in by a key', () => {
  test('verifies, and returns account and chain', async () => {
    const proof = await verifySignIn(await signMessage(), expected)
    expect(proof).toEqual({
      valid: true,
      account: `eip155:31337:${key.address}`,
      chainId: 'eip155:31337',
      data: signInMessage,
    })
  })

  test.each<[SignInProblem, Partial<SignInMessage>, Partial<ExpectedSignIn>]>([
    ['wrong-domain', { domain: 'evil.example', uri: 'https://evil.example' }, {}],
    ['wrong-domain', { domain: 'app.example:8080', uri: 'https://app.example:8080' }, {}],
    ['wrong-domain', { domain: 'app.example@evil.example' }, {}],
    ['wrong-domain', {}, { domain: ['other.example', 'www.app.example'] }],
    ['wrong-uri', { uri: 'https://evil.example/login' }, {}],
    ['wrong-uri', { uri: 'https://app.example.evil/login' }, {}],
    ['wrong-uri', { uri: 'https://app.example@evil.example/' }, {}],
    ['wrong-uri', { uri: 'urn:app.example' }, {}],
    ['wrong-uri', { scheme: 'http' }, {}],
    ['wrong-uri', { uri: 'https://www.app.example/login' }, {}],
    ['wrong-uri', { domain: 'www.app.example', uri: 'https://www.www.app.example' }, { domain: 'www.app.example' }],
    ['wrong-uri', {}, { uri: 'https://app.example/other' }],
    ['wrong-nonce', { nonce: 'abcdef0123456780' }, {}],
    ['wrong-nonce', {}, { nonce: '' }],
    ['wrong-chain', { chainId: 'eip155:1' }, {}],
    ['wrong-account', {}, { account: 'eip155:31337:0x0000000000000000000000000000000000000001' }],
    ['wrong-account', {}, { account: `eip155:1:${key.address}` }],
    ['expired', {}, { now: Date.parse('2026-01-02T00:00:00.000Z'), maxAge: Infinity }],
    ['expired', {}, { now: now + 360_001 }],
    ['not-yet-valid', { notBefore: '2026-01-01T00:01:00.001Z' }, {}],
    ['not-yet-valid', {}, { now: now - 60_001 }],
    ['malformed', { accountAddress: '0xc02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2' }, {}],
  ])('is refused as %s, with %o %o', async (reason, more, wanted) => {
    expect(await reasonOf(more, wanted)).toBe(reason)
  })

  test.each<[Partial<SignInMessage>, Partial<ExpectedSignIn>]>([
    [{}, { now: now + 360_000 }],
    [{}, { now: now - 60_000 }],
    [{ notBefore: '2026-01-01T00:01:00.000Z' }, {}],
    [{}, { now: Date.parse('2026-01-01T23:59:59.999Z'), maxAge: Infinity }],
    [{}, { account: `eip155:31337:${key.address.toLowerCase()}` as const, uri: 'https://app.example/login' }],
    [{}, { domain: ['other.example', 'app.example'], chains: undefined }],
    [{ accountAddress: key.address.toLowerCase(), scheme: 'https' }, {}],
    [{ domain: 'www.app.example', uri: 'https://app.example/login' }, { domain: 'www.app.example' }],
  ])('verifies in each accepted form: %o %o', async (more, wanted) => {
    expect(await reasonOf(more, wanted)).toBe('valid')
  })

  test('is refused if any character is changed', async () => {
    const { message, signature } = await signMessage()
    const at = fc.nat(message.length - 1)
    const character = fc.integer({ min: 32, max: 126 }).map((code) => String.fromCharCode(code))
    await fc.assert(
      fc.asyncProperty(at, character, async (index, other) => {
        if (message[index] === other) return
        const changed = message.slice(0, index) + other + message.slice(index + 1)
        expect(await verifySignIn({ message: changed, signature }, expected)).toMatchObject({ valid: false })
      }),
    )
  })

  test('is refused for any other input', async () => {
    await fc.assert(
      fc.asyncProperty(fc.anything(), fc.anything(), async (message, signature) => {
        // The types end at the network.
        const proof = await verifySignIn({ message, signature } as never, expected)
        expect(proof).toEqual({ valid: false, reason: 'malformed' })
      }),
    )
  })

  test('verifies only for a chain of its own namespace', async () => {
    const seed = new Uint8Array(32).fill(7)
    const data: SignInMessage = {
      ...signInMessage,
      chainId: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
      accountAddress: base58.encode(ed25519.getPublicKey(seed)),
    }
    const message = formatSignInMessage(data)
    const signature = base58.encode(ed25519.sign(new TextEncoder().encode(message), seed))
    const proof = await verifySignIn({ message, signature }, { ...expected, chains: [data.chainId] })
    expect(proof).toEqual({
      valid: true,
      account: `${data.chainId}:${data.accountAddress}`,
      chainId: data.chainId,
      data,
    })
    // The same words and key, read as an account of another chain.
    const other = message.replace('5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1')
    const there = await verifySignIn({ message: other, signature }, { ...expected, chains: undefined })
    expect(there).toEqual({ valid: false, reason: 'wrong-signature' })
  })

  test('is refused for a Bitcoin chain with another address format', async () => {
    const chainId = 'bip122:000000000019d6689c085ae165831e93'
    const more = { chainId, accountAddress: 'tb1q9vza2e8x573nczrlzms0wvx3gsqjx7vaxwd3v5' } as const
    expect(await reasonOf(more, { chains: [chainId] })).toBe('wrong-chain')
  })
})

// The cases are public (EIP-4361). They are next to the repository, or at LATCHKEY_VECTORS.
const vectors = resolve(root, process.env.LATCHKEY_VECTORS ?? '../shared/vectors', 'siwe')
const state = existsSync(vectors) ? '' : ' (NOT TRIED: the cases are not next to the repository)'
type Case = {
  address: string
  chainId: number
  signature: string
  time?: string
  domainBinding?: string
  matchNonce?: string
}

async function isProved({
  address,
  chainId,
  signature,
  time,
  domainBinding,
  matchNonce,
  ...others
}: Case): Promise<boolean> {
  // Parses the rest of the message.
  const data = { ...others, accountAddress: address, chainId: `eip155:${chainId}` } as unknown as SignInMessage
  const proof = await verifySignIn(
    { message: formatSignInMessage(data), signature },
    {
      nonce: matchNonce ?? data.nonce,
      domain: domainBinding ?? data.domain,
      uri: data.uri,
      now: Date.parse(time ?? '2026-01-01T00:00:00Z'),
      maxAge: Infinity,
      // Some of the cases are of a time before they were issued.
      tolerance: time === undefined ? undefined : 100 * 365 * 86_400_000,
    },
  )
  return proof.valid
}

test.each([
  ['verification_positive', true],
  ['verification_negative', false],
] as const)(`published sign-ins are judged as they are published: %s${state} [A-20]`, async (name, valid) => {
  const path = resolve(vectors, `${name}.json`)
  const cases: Record<string, Case> = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
  for (const each of Object.values(cases)) expect(await isProved(each)).toBe(valid)
})

describe('a sign-in by a contract', () => {
  const factory = '0x4e59b44847b379578588920ca78fbf26c0b4956c'
  let chain: Anvil
  let bytecode: `0x${string}`
  let account: `0x${string}`
  const node = (): ReturnType<typeof connect> => connect(chain.url)

  function connect(url: string) {
    const options = { mode: 'anvil', account: owner, transport: http(url), pollingInterval: 20 } as const
    return createTestClient(options).extend(publicActions).extend(walletActions)
  }

  beforeAll(async () => {
    chain = await startAnvil()
    const artifact = readFileSync(resolve(root, 'devnet/src/contracts/artifacts/LocalAccount.json'), 'utf8')
    bytecode = encodeDeployData({ ...JSON.parse(artifact), args: [owner.address] })
    account = getCreate2Address({ from: factory, salt: zeroHash, bytecode })
  })
  afterAll(() => chain.stop())

  /** Signs as the owner of the contract, before and after its deployment. */
  async function byOwner(
    address = account,
  ): Promise<{ message: string; signature: `0x${string}`; early: `0x${string}` }> {
    const message = formatSignInMessage({ ...signInMessage, accountAddress: address })
    const signature = await owner.signMessage({ message })
    return {
      message,
      signature,
      early: serializeErc6492Signature({ address: factory, data: concat([zeroHash, bytecode]), signature }),
    }
  }

  const judge = async (text: { message: string; signature: string }, chainSource?: ExpectedSignIn['chainSource']) => {
    const proof = await verifySignIn(text, { ...expected, chainSource })
    return proof.valid ? proof.account : proof.reason
  }

  /** The node may count a block a moment before it knows its receipts. */
  async function mined(hash: Hex): Promise<void> {
    const look = (): Promise<unknown> =>
      node()
        .getTransactionReceipt({ hash })
        .catch(() => undefined)
    await expect.poll(look).toMatchObject({ status: 'success' })
  }

  test('verifies before deployment (ERC-6492) and after (ERC-1271), but not after a change of owner [A-20]', async () => {
    const { message, signature, early } = await byOwner()
    const wallet = node()
    const proved = `eip155:31337:${account}`
    expect(await judge({ message, signature }, chain.url)).toBe('wrong-signature')
    expect(await judge({ message, signature: early }, chain.url)).toBe(proved)
    expect(await wallet.getCode({ address: account })).toBeUndefined()
    const hash = await wallet.sendTransaction({ chain: null, to: factory, data: concat([zeroHash, bytecode]) })
    await mined(hash)
    expect(await judge({ message, signature }, chain.url)).toBe(proved)
    expect(await judge({ message, signature }, wallet)).toBe(proved)
    expect(await judge({ message, signature }, () => chain.url)).toBe(proved)
    expect(await judge({ message, signature: early }, chain.url)).toBe(proved)
    expect(await judge({ message, signature: await key.signMessage({ message }) }, chain.url)).toBe('wrong-signature')
    const abi = [{ type: 'function', name: 'setOwner', inputs: [{ type: 'address' }], outputs: [] }] as const
    const change = { chain: null, address: account, abi, functionName: 'setOwner', args: [key.address] } as const
    await mined(await wallet.writeContract({ ...change, stateMutability: 'nonpayable' } as never))
    expect(await judge({ message, signature }, chain.url)).toBe('wrong-signature')
  })

  test.each([
    ['reverts', '0x60006000fd'],
    ['returns nothing', '0x60006000f3'],
    ['returns only zeros', '0x63001000006000f3'],
    ['returns the right bytes at the wrong offset', '0x631626ba7f60005260206000f3'],
    ['burns all gas', '0x5b600056'],
  ] as const)('is refused if the contract %s', async (_, code) => {
    const address = '0x00000000000000000000000000000000000012ff'
    await node().setCode({ address, bytecode: code })
    const { message, signature } = await byOwner(address)
    expect(await judge({ message, signature }, chain.url)).toBe('wrong-signature')
  })

  test('is refused if its chain is unreachable, while keys still verify', async () => {
    const gone = 'http://127.0.0.1:9'
    const broken = { request: () => Promise.reject(new Error('down')) }
    const silent = { request: () => new Promise<never>(() => undefined) }
    const { message, early: signature } = await byOwner()
    for (const source of [gone, broken]) expect(await judge({ message, signature }, source)).toBe('chain-unreachable')
    expect(await judge({ message, signature })).toBe('wrong-signature')
    for (const source of [gone, broken, silent]) {
      expect(await judge(await signMessage(), source)).toBe(`eip155:31337:${key.address}`)
    }
  })

  test('is refused after a timeout if the node never responds [A-20]', async () => {
    const { message, early: signature } = await byOwner()
    const server = createServer(() => undefined)
    await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
    // A server that listens on a port.
    const { port } = server.address() as AddressInfo
    const silent = { request: () => new Promise<never>(() => undefined) }
    for (const chainSource of [silent, `http://127.0.0.1:${port}`]) {
      const proof = await verifySignIn({ message, signature }, { ...expected, chainSource, timeoutMs: 50 })
      expect(proof).toEqual({ valid: false, reason: 'chain-unreachable' })
    }
    server.closeAllConnections()
    server.close()
  })

  test('is refused by a node of another chain or with invalid responses', async () => {
    const { message, early: signature } = await byOwner()
    const server = createServer((_, response) => void response.end('<html>Busy</html>'))
    await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
    // A server that listens on a port.
    const { port } = server.address() as AddressInfo
    expect(await judge({ message, signature }, `http://127.0.0.1:${port}`)).toBe('chain-unreachable')
    server.close()
    const other = formatSignInMessage({ ...parseSignInMessage(message), chainId: 'eip155:1' })
    const proof = await verifySignIn(
      { message: other, signature },
      { ...expected, chains: undefined, chainSource: chain.url },
    )
    expect(proof).toEqual({ valid: false, reason: 'chain-unreachable' })
  })
})
