import { encodeErrorResult, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { RpcError } from '../chain/rpcError.ts'
import { transactionOf, waitForInclusion } from './planOperation.ts'

const hash = `0x${'11'.repeat(32)}` as const
const transactionHash = `0x${'22'.repeat(32)}` as const
const abi = parseAbi(['error Error(string reason)'])
const reason = encodeErrorResult({ abi, errorName: 'Error', args: ['sold out'] })

/** The bundler's responses in order. */
function bundlerThat(...responses: readonly unknown[]) {
  const left = [...responses]
  return {
    chainId: 'eip155:31337',
    chain: {
      async request(): Promise<unknown> {
        const response = left.length > 1 ? left.shift() : left[0]
        if (response instanceof Error) throw response
        return response
      },
    },
  }
}

test('waiting for an operation survives errors and returns the transaction', async () => {
  const receipt = { success: true, receipt: { transactionHash } }
  const included = await waitForInclusion(bundlerThat(null, new RpcError(-32_603, 'away'), receipt), hash)
  expect(transactionOf(included)).toBe(transactionHash)
})

test.each([
  [reason, 'sold out'],
  [undefined, 'the contract gave no reason'],
])('an operation that failed in its block reports the reason (%s)', async (given, reason) => {
  const receipt = { success: false, reason: given, receipt: { transactionHash } }
  const included = await waitForInclusion(bundlerThat(receipt), hash)
  expect(() => transactionOf(included)).toThrow(
    expect.objectContaining({
      code: -32_000,
      message: `The transaction was included and failed: ${reason}`,
      data: { transactionHash, userOperationHash: hash },
    }) as Error,
  )
})
