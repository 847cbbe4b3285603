import { describe, expect, test } from 'vitest'
import { createSIWEConfig, formatMessage, getAddressFromMessage, getChainIdFromMessage } from './siweClient.ts'

const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const args = {
  domain: 'example.org',
  uri: 'https://example.org/',
  version: '1',
  chainId: 137,
  nonce: 'nonce12345',
  iat: '2026-01-01T00:00:00.000Z',
  statement: 'Welcome.',
} as const

describe('formatMessage', () => {
  test('formats a message of EIP-4361, which names its address and chain', () => {
    const message = formatMessage(args, address)
    expect(message).toMatch(/^example\.org wants you to sign in with your Ethereum account:\n0xf39F/)
    expect(message).toContain('Welcome.')
    expect(getAddressFromMessage(message)).toBe(address)
    expect(getChainIdFromMessage(message)).toBe('eip155:137')
  })

  test('takes the address from an id that ends with it', () => {
    expect(formatMessage(args, `did:pkh:eip155:137:${address}`)).toBe(formatMessage(args, address))
  })
})

test('createSIWEConfig keeps the options, and offers the functions as methods', async () => {
  const client = createSIWEConfig({
    getNonce: async () => 'nonce12345',
    createMessage: ({ address, ...rest }) => formatMessage(rest, address),
    verifyMessage: async () => true,
    getSession: async () => null,
    signOut: async () => true,
    required: false,
    nonceRefetchIntervalMs: 1,
  })
  expect(client.required).toBe(false)
  expect(client).not.toHaveProperty('nonceRefetchIntervalMs')
  expect(await client.methods.getNonce()).toBe('nonce12345')
})
