import { parseChainId, type ChainId } from '@latchkey/protocol'
import { createClient, custom, http, type Address, type Client, type Hex } from 'viem'
import { getChainId, verifyMessage } from 'viem/actions'

/** The URL of a node, or an EIP-1193 provider. It is asked about contract accounts. */
export type ChainSource = string | { request(args: { method: string; params?: unknown }): Promise<unknown> }

/**
 * Asks the chain if the contract of an account accepts a signature (ERC-1271), even before its deployment (ERC-6492).
 *
 * @param timeoutMs the timeout of each request, in milliseconds
 * @returns true if the contract accepts it; `undefined` if the chain can't be reached
 */
export async function isSignedByContract(
  source: ChainSource,
  chainId: ChainId,
  signed: { address: string; message: string; signature: string },
  timeoutMs: number,
): Promise<boolean | undefined> {
  const { client, failed } = createWatchedClient(source, timeoutMs)
  try {
    // A contract with the same address on another chain may have another owner.
    if ((await getChainId(client)) !== Number(parseChainId(chainId).reference)) return undefined
    // Both were validated before.
    const [address, signature] = [signed.address as Address, signed.signature as Hex]
    const isSigned = await verifyMessage(client, { address, message: signed.message, signature })
    return isSigned || !failed() ? isSigned : undefined
  } catch {
    return undefined
  }
}

/** Records failures of the node. viem reports a signature that it could not check as invalid. */
function createWatchedClient(source: ChainSource, timeoutMs: number): { client: Client; failed: () => boolean } {
  let failed = false
  // An EIP-1193 provider accepts any method.
  const node: Pick<Client, 'request'> =
    typeof source === 'string'
      ? createClient({ transport: http(source, { timeout: timeoutMs, retryCount: 0 }) })
      : (source as Pick<Client, 'request'>)
  async function request(args: Parameters<Client['request']>[0]): Promise<unknown> {
    try {
      return await withNodeTimeout(node.request(args), timeoutMs)
    } catch (error) {
      failed ||= !isRevert(error)
      throw error
    }
  }
  return { client: createClient({ transport: custom({ request }, { retryCount: 0 }) }), failed: () => failed }
}

/** True if the node reports a revert: it is reachable, and the contract rejects the signature. */
function isRevert(error: unknown): boolean {
  const reverted: unknown[] = [3, -32_000, -32_015]
  for (let each = error; typeof each === 'object' && each !== null; each = 'cause' in each ? each.cause : undefined) {
    if ('code' in each && reverted.includes(each.code)) return true
  }
  return false
}

/** Waits for a node's response until the timeout. */
async function withNodeTimeout(response: Promise<unknown>, timeoutMs: number): Promise<unknown> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The node did not respond in time.')), timeoutMs)
  })
  try {
    return await Promise.race([response, late])
  } finally {
    clearTimeout(timer)
  }
}
