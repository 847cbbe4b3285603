import { expect, test } from 'vitest'
import { startAnvil } from './anvil.ts'
import { requestChain } from './requestChain.ts'

test('startAnvil runs a chain with the given chainId until it is stopped', async () => {
  const [one, other] = await Promise.all([startAnvil(), startAnvil({ chainId: 31338 })])
  expect(await requestChain(one.url, 'eth_chainId', [])).toBe('0x7a69')
  expect(await requestChain(other.url, 'eth_chainId', [])).toBe('0x7a6a')
  await Promise.all([one.stop(), other.stop()])
  await expect(requestChain(one.url, 'eth_chainId', [])).rejects.toMatchObject({ code: -32603 })
  await other.stop()
})
