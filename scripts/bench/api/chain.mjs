// Creates a chain with many transfers on a real node, for the bench of the data service.
import { setTimeout as sleep } from 'node:timers/promises'
import { readFile } from 'node:fs/promises'
import { encodeFunctionData } from 'viem'
import { root } from '../../lib/root.mjs'

/** Number of receiving accounts. */
export const accounts = 20_000
/** Every tenth block has a hundred transfers. The other blocks are empty. */
const [gap, perTransaction] = [10, 100]

/** Returns the address of a receiver. @param {number} index */
export function getReceiver(index) {
  return `0xf0${index.toString(16).padStart(38, '0')}`
}

/**
 * @param {string} url
 * @param {readonly { method: string, params: readonly unknown[] }[]} calls
 */
async function request(url, calls) {
  const batch = calls.map((each, id) => ({ jsonrpc: '2.0', id, ...each }))
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(batch),
  })
  return /** @type {Promise<{ result: any, error?: { message: string } }[]>} */ (response.json())
}

/**
 * @param {string} url
 * @param {string} method
 * @param {readonly unknown[]} params
 */
export async function requestOne(url, method, params) {
  const [reply] = await request(url, [{ method, params }])
  if (reply === undefined || reply.error !== undefined) throw new Error(`The chain refused: ${reply?.error?.message}`)
  return reply.result
}

/**
 * Waits until a deployment is mined and returns the address of the contract.
 *
 * @param {string} url
 * @param {string} hash
 */
export async function waitForContract(url, hash) {
  for (;;) {
    const receipt = await requestOne(url, 'eth_getTransactionReceipt', [hash])
    if (receipt !== null) return receipt.contractAddress
    await sleep(20)
  }
}

/**
 * Creates blocks with ten transfers per block on average.
 *
 * @param {string} url
 * @param {number} blocks
 */
export async function fillChain(url, blocks) {
  const artifact = JSON.parse(await readFile(`${root}/devnet/src/contracts/artifacts/Fountain.json`, 'utf8'))
  const [from] = await requestOne(url, 'eth_accounts', [])
  const hash = await requestOne(url, 'eth_sendTransaction', [{ from, data: artifact.bytecode, gas: '0x2dc6c0' }])
  const to = await waitForContract(url, hash)
  const first = Number(await requestOne(url, 'eth_getTransactionCount', [from, 'latest']))
  const pour = (/** @type {number} */ seed) => ({
    method: 'eth_sendTransaction',
    params: [
      {
        from,
        to,
        // The responses of a batch arrive in any order.
        nonce: `0x${(first + seed).toString(16)}`,
        gas: '0x1312d00',
        data: encodeFunctionData({
          abi: artifact.abi,
          functionName: 'pour',
          args: [BigInt(seed), BigInt(perTransaction), BigInt(accounts)],
        }),
      },
    ],
  })
  const rounds = blocks / gap
  for (let begin = 0; begin < rounds; begin += 50) {
    const seeds = Array.from({ length: Math.min(50, rounds - begin) }, (_, index) => begin + index)
    const replies = await request(url, seeds.map(pour))
    const failed = replies.find(({ error }) => error !== undefined)
    if (failed !== undefined) throw new Error(`The chain refused: ${failed.error?.message}`)
    await requestOne(url, 'anvil_mine', [`0x${(seeds.length * (gap - 1)).toString(16)}`])
  }
  return { token: to, transfers: rounds * perTransaction }
}
