import { expect, test } from 'vitest'
import { startAnvil } from './anvil.ts'
import { askChain } from './chainRpc.ts'

test('runs a chain of the wanted number until it is stopped', async () => {
  const [one, other] = await Promise.all([startAnvil(), startAnvil({ chainId: 31338 })])
  expect(await askChain(one.url, 'eth_chainId', [])).toBe('0x7a69')
  expect(await askChain(other.url, 'eth_chainId', [])).toBe('0x7a6a')
  await Promise.all([one.stop(), other.stop()])
  await expect(askChain(one.url, 'eth_chainId', [])).rejects.toMatchObject({ code: -32603 })
  await other.stop()
})
